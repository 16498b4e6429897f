/**
 * Owns every way in which a tool takes a path: the call that a model would make, and what an unguarded tool would do
 * with the same path, told by whether the victim was read or harmed.
 * Leaves the paths to hostile-paths.ts. Rule: an operation here per path argument of a tool; a new tool adds its own.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Stands in the victim and nowhere else: seen in an answer, it has leaked. */
export const SECRET = "TOP-SECRET-7c1f";
/** The victim's own directory holds a file of this name: a listing or a suggestion that shows it has leaked. */
export const WITNESS = "witness-5d2a.txt";
const OWNED = "OWNED-BY-THE-MODEL";

export type Effect = "reads" | "writes" | "itself";

export interface Operation {
  readonly name: string;
  readonly tool: string;
  /** `itself` operations act on a link, not on what it leads to. */
  readonly effect: Effect;
  /** Whether the victim is a file, or the directory that holds it. */
  readonly victim: "file" | "directory";
  args(path: string): Record<string, unknown>;
  /** Does to `target` what a tool without any guard does, and tells whether the victim was read or harmed. */
  reaches(target: string, root: string): boolean;
}

const findSecret = (target: string): boolean => {
  if (lstatSync(target).isFile()) return readFileSync(target, "utf8").includes(SECRET);
  return readdirSync(target, { recursive: true, encoding: "utf8" })
    .map((name) => join(target, name))
    .some((path) => lstatSync(path).isFile() && readFileSync(path, "utf8").includes(SECRET));
};
const seesWitness = (target: string): boolean =>
  readdirSync(target, { recursive: true, encoding: "utf8" }).some((name) => basename(name) === WITNESS);

export const OPERATIONS: readonly Operation[] = [
  {
    name: "read",
    tool: "read",
    effect: "reads",
    victim: "file",
    args: (path) => ({ path }),
    reaches: findSecret,
  },
  {
    name: "read with grep",
    tool: "read",
    effect: "reads",
    victim: "file",
    args: (path) => ({ path, grep: "SECRET" }),
    reaches: findSecret,
  },
  {
    name: "read of a directory",
    tool: "read",
    effect: "reads",
    victim: "directory",
    args: (path) => ({ path }),
    reaches: seesWitness,
  },
  {
    name: "list",
    tool: "list",
    effect: "reads",
    victim: "directory",
    args: (path) => ({ path, depth: 3 }),
    reaches: seesWitness,
  },
  {
    name: "glob",
    tool: "glob",
    effect: "reads",
    victim: "directory",
    args: (path) => ({ path, pattern: "**/*" }),
    reaches: seesWitness,
  },
  {
    name: "grep",
    tool: "grep",
    effect: "reads",
    victim: "directory",
    args: (path) => ({ path, pattern: "SECRET" }),
    reaches: findSecret,
  },
  {
    name: "edit",
    tool: "edit",
    effect: "writes",
    victim: "file",
    args: (path) => ({ path, edits: [{ old_text: SECRET, new_text: OWNED }] }),
    reaches: (target) => {
      writeFileSync(target, readFileSync(target, "utf8").replace(SECRET, OWNED));
      return readFileSync(target, "utf8").includes(OWNED);
    },
  },
  {
    name: "write",
    tool: "write",
    effect: "writes",
    victim: "file",
    args: (path) => ({ path, content: OWNED, overwrite: true }),
    reaches: (target) => {
      writeFileSync(target, OWNED);
      return readFileSync(target, "utf8") === OWNED;
    },
  },
  {
    name: "delete",
    tool: "delete",
    effect: "itself",
    victim: "file",
    args: (path) => ({ path, recursive: true }),
    reaches: (target) => {
      lstatSync(target);
      rmSync(target, { recursive: true });
      return !existsSync(target);
    },
  },
  {
    name: "delete of a directory",
    tool: "delete",
    effect: "itself",
    victim: "directory",
    args: (path) => ({ path, recursive: true }),
    reaches: (target) => {
      lstatSync(target);
      rmSync(target, { recursive: true });
      return !existsSync(target);
    },
  },
  {
    name: "move from, a directory",
    tool: "move",
    effect: "itself",
    victim: "directory",
    args: (path) => ({ from: path, to: "taken" }),
    reaches: (target, root) => {
      // A directory cannot be renamed into itself: the naive tool takes what is in it.
      const held = readdirSync(target).filter((name) => join(target, name) !== dirname(root));
      mkdirSync(join(root, "taken"), { recursive: true });
      for (const name of held) {
        if (join(target, name) !== root) renameSync(join(target, name), join(root, "taken", name));
      }
      return held.length > 0;
    },
  },
  {
    name: "move from",
    tool: "move",
    effect: "itself",
    victim: "file",
    args: (path) => ({ from: path, to: "taken", overwrite: true }),
    reaches: (target, root) => {
      renameSync(target, join(root, "taken"));
      return findSecret(join(root, "taken"));
    },
  },
  {
    name: "move to",
    tool: "move",
    effect: "itself",
    victim: "file",
    args: (path) => ({ from: "mine.txt", to: path, overwrite: true }),
    reaches: (target, root) => {
      renameSync(join(root, "mine.txt"), target);
      return readFileSync(target, "utf8") === "mine\n" && existsSync(dirname(target));
    },
  },
];
