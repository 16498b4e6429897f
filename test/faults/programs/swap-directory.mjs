// Exchanges a directory for a link to another one and back, as fast as it can, until it is ended.
// Arguments: the directory, and what the link leads to. Says "swapping" once it has done so for the first time.
import { renameSync, symlinkSync, unlinkSync } from "node:fs";

const [, , directory, target] = process.argv;
const aside = `${directory}-aside`;
for (let round = 0; ; round++) {
  try {
    renameSync(directory, aside);
    symlinkSync(target, directory);
    unlinkSync(directory);
  } catch {
    // The other side may have put something there meanwhile; the way back below decides.
  }
  try {
    renameSync(aside, directory);
  } catch {
    // As above.
  }
  if (round === 0) process.stdout.write("swapping\n");
}
