/**
 * Owns the person's configuration as a file: where it lies, reading it, changing it.
 * Leaves what it says to configure.ts. Rule: what else stands in the file stays as it is; a file that does not parse is
 * an error and is never written over. Two sessions that write at once, in one process or in several, lose nothing of
 * each other: who reads in order to write holds the file's lock.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { withCommitLock } from "../../root/commit-lock.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { describeIssue } from "./describe-issue.ts";
import { PERSON_SCHEMA, type PersonConfiguration } from "./schema.ts";
import { SENTENCE_MAX, showSafely } from "./show-safely.ts";
import { siftKeys } from "./unknown-keys.ts";

/** What a writer has to understand; another version's keys are kept as they are. */
const LISTS = z.looseObject({
  allow: z.array(z.string()).optional(),
  ask: z.array(z.string()).optional(),
  deny: z.array(z.string()).optional(),
});
const FILE = z.looseObject({
  rules: LISTS.optional(),
  roots: z
    .record(z.string(), z.looseObject({ rules: LISTS.optional(), trusted: z.string().optional() }))
    .optional(),
});

export type PersonFile = z.infer<typeof FILE>;
export type RootEntry = NonNullable<PersonFile["roots"]>[string];

/** As far as a writer has to understand it. Throws where it cannot be. */
export function readPersonFile(path: string): PersonFile {
  const value = readJson(path);
  return value === undefined ? {} : check(path, value, FILE);
}

/** Whole, for a session. Throws for a wrong key too: a rule that denies and is misspelt would protect nothing. */
export function readPersonConfiguration(path: string): PersonConfiguration {
  const value = readJson(path);
  // Most people have none, and each start of a server waits for this.
  if (value === undefined) return {};
  const [wrong] = siftKeys(value, PERSON_SCHEMA).unknown;
  if (wrong !== undefined) throw new ConfigurationError(`${path} has a key that is none: ${wrong}`);
  return check(path, value, PERSON_SCHEMA);
}

/** Another writer holds the lock for a few milliseconds; who waits this long waits for somebody who hangs. */
const LOCK_TIMEOUT_MS = 10_000;

/** Changes what the file says of one root. `change` gives undefined where there is nothing to change. */
export async function changeRootEntry(of: {
  readonly root: string;
  readonly path: string;
  readonly change: (entry: RootEntry) => RootEntry | undefined;
}): Promise<void> {
  const { root, path, change } = of;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = followLink(path);
  await withCommitLock(file, AbortSignal.timeout(LOCK_TIMEOUT_MS), async () => {
    // Without a pause between reading and writing: within one process nothing comes between.
    const before = readPersonFile(file);
    const real = realOf(root);
    const entry = change(before.roots?.[real] ?? {});
    if (entry !== undefined) replaceFile(file, { ...before, roots: { ...before.roots, [real]: entry } });
  });
}

/** A configuration that is kept elsewhere and linked here stays linked. */
function followLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Nothing is there yet, and all who make it have to agree on its name.
    return join(realpathSync(dirname(path)), basename(path));
  }
}

/** Undefined where there is no file. */
function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigurationError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw notAsItShouldBe(path, messageOf(error));
  }
}

function check<T>(path: string, value: unknown, schema: z.ZodType<T>): T {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  throw notAsItShouldBe(path, describeIssue(error, value));
}

function notAsItShouldBe(path: string, why: string): ConfigurationError {
  return new ConfigurationError(
    `${path} is not as it should be: ${showSafely(why, SENTENCE_MAX)}. Repair or remove it`,
  );
}

/** Whoever reads the file sees the old text or the new one. */
function replaceFile(path: string, configuration: PersonFile): void {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify(configuration, null, 2)}\n`, {
      flag: "wx",
      mode: 0o600,
      flush: true,
    });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** How a root is named in the file. */
export function realOf(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
