/**
 * Owns what a kind of task is: a name, what becomes of it, and a maker that may fail for what was drawn.
 * Rule: a maker draws everything from the random it is given.
 */
import type { Source } from "../corpus.ts";
import type { Random } from "../random.ts";
import type { Task } from "../task.ts";

export interface Kind {
  readonly name: string;
  readonly outcome: "land" | "refuse";
  make(random: Random, corpus: readonly Source[]): Task | undefined;
}
