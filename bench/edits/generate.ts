/**
 * Owns the list of kinds and drawing as many tasks as are wanted, evenly over them.
 * Leaves making one to kinds/. Rule: the same seed and the same files give the same tasks.
 */
import type { Source } from "./corpus.ts";
import { ambiguousKinds } from "./kinds/ambiguous.ts";
import { blankKinds } from "./kinds/blanks.ts";
import { characterKinds } from "./kinds/characters.ts";
import { encodingKinds } from "./kinds/encodings.ts";
import { escapeKinds } from "./kinds/escapes.ts";
import { exactKinds } from "./kinds/exact.ts";
import { indentationKinds } from "./kinds/indentation.ts";
import type { Kind } from "./kinds/kind.ts";
import { numberKinds } from "./kinds/numbers.ts";
import { refusalKinds } from "./kinds/refusals.ts";
import { seedRandom } from "./random.ts";
import type { Task } from "./task.ts";

export const KINDS: readonly Kind[] = [
  ...exactKinds,
  ...blankKinds,
  ...indentationKinds,
  ...numberKinds,
  ...characterKinds,
  ...escapeKinds,
  ...encodingKinds,
  ...ambiguousKinds,
  ...refusalKinds,
];

/** Most draws are no task with one right answer. */
const MOST_DRAWS = 5_000;

export function generateTasks(use: { seed: string; count: number; corpus: readonly Source[] }): Task[] {
  return Array.from({ length: use.count }, (_, index) => {
    const kind = KINDS[index % KINDS.length] as Kind;
    return drawTask(kind, `${use.seed}/${index}`, use.corpus);
  });
}

function drawTask(kind: Kind, seed: string, corpus: readonly Source[]): Task {
  const random = seedRandom(seed);
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const task = kind.make(random, corpus);
    if (task !== undefined) return task;
  }
  throw new Error(`no task of the kind "${kind.name}" could be drawn from these files`);
}
