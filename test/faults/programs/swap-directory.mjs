// Exchanges a directory for a link to another one and back, until it is ended.
// Arguments: the directory, and what the link leads to. Says "swapping" once it has done so for the first time.
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";

const [, , directory, target] = process.argv;
const aside = `${directory}-aside`;

/** Stays in a state for a moment of another length each time, so that every moment of the other side is met. */
function linger(mostMs) {
  const end = performance.now() + Math.random() * mostMs;
  while (performance.now() < end);
}

/** The other side may make the directory anew in the gap, and put something into it while it is taken away again. */
function putBack() {
  for (;;) {
    try {
      return renameSync(aside, directory);
    } catch {
      tryRemove();
      if (!existsSync(aside)) mkdirSync(aside);
    }
  }
}

function tryRemove() {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // Once more, then.
  }
}

for (let round = 0; ; round++) {
  linger(1.5);
  try {
    renameSync(directory, aside);
    symlinkSync(target, directory);
    linger(0.2);
    unlinkSync(directory);
  } catch {
    // The other side made the directory anew in the gap; putting back removes it.
  }
  putBack();
  if (round === 0) process.stdout.write("swapping\n");
}
