/**
 * Owns what `haft doctor` says of the state of a root: whether a session could keep its calls there as it lies.
 * Leaves what may be used to root/, and what is in a ledger to the ledger. Rule: looks and never changes; of a ledger
 * only its first bytes are read. The attack: a repository brings a `.haft` of its own along.
 */
import { closeSync, constants, lstatSync, openSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import { APPLICATION_ID } from "../../../ledger/sqlite-schema.ts";
import { lookAtState } from "../../../root/look-at-state.ts";
import { openRoot } from "../../../root/open-root.ts";
import { configure } from "../../config/configure.ts";
import { LIMITS } from "../open-with-flags.ts";
import type { Finding } from "./findings.ts";

/** `root` is its real path. */
export async function findState(root: string): Promise<Finding> {
  const path = placeOf(root);
  const wrong = await whatIsWrong(root, path);
  return {
    name: "state",
    found: wrong === undefined,
    detail: wrong ?? (isThere(path) ? path : `${path}, made by the first session`),
    costs:
      "no session opens here, or no command runs, until it is out of the way or --state-dir names another place",
    required: false,
  };
}

function placeOf(root: string): string {
  try {
    return configure({ root, limits: LIMITS }).settings.stateDir ?? join(root, ".haft");
  } catch {
    // What is wrong with a configuration is a finding of its own.
    return join(root, ".haft");
  }
}

async function whatIsWrong(root: string, path: string): Promise<string | undefined> {
  try {
    const held = openRoot({ root });
    const state = await lookAtState(held, resolve(path));
    if (state !== undefined) return state.error;
    const file = join(path, "ledger.db");
    return isThere(file) && !isLedger(file)
      ? `${file} is no ledger of haft: move it out of the way`
      : undefined;
  } catch {
    // Without a root there is no state; that is a finding of its own.
    return undefined;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

const MAGIC = "SQLite format 3\0";
/** Where SQLite keeps the number by which a program knows its files: https://www.sqlite.org/fileformat2.html */
const ID_OFFSET = 68;

/** An empty file becomes one. */
function isLedger(path: string): boolean {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const head = Buffer.alloc(ID_OFFSET + 4);
    if (readSync(file, head, 0, head.length, 0) === 0) return true;
    return (
      head.toString("latin1", 0, MAGIC.length) === MAGIC && head.readInt32BE(ID_OFFSET) === APPLICATION_ID
    );
  } finally {
    closeSync(file);
  }
}
