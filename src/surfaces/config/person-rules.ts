/**
 * Owns the rules that a person keeps for a root: in their own configuration, never below the root.
 * Leaves what a rule means to permission/. Rule: what else stands in the file stays as it is; a file that does not
 * parse is an error and is never written over. Two sessions that save at once, in one process or in several, lose
 * neither rule: who reads in order to write holds the file's lock.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { withCommitLock } from "../../root/commit-lock.ts";

export interface RuleLists {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

const LISTS = z.object({
  allow: z.array(z.string()).optional(),
  ask: z.array(z.string()).optional(),
  deny: z.array(z.string()).optional(),
});
/** Other keys are other parts' business. */
const CONFIGURATION = z.looseObject({
  rules: LISTS.optional(),
  roots: z.record(z.string(), z.looseObject({ rules: LISTS.optional() })).optional(),
});

type Configuration = z.infer<typeof CONFIGURATION>;

/** `$XDG_CONFIG_HOME/haft/config.json`; a relative XDG_CONFIG_HOME is none, as its specification says. */
export function configurationPath(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment.XDG_CONFIG_HOME;
  const base = named !== undefined && isAbsolute(named) ? named : join(homedir(), ".config");
  return join(base, "haft", "config.json");
}

/** The person's rules for every root and those for this one. Throws where the file cannot be understood. */
export function readPersonRules(root: string, path = configurationPath()): RuleLists {
  const configuration = readConfiguration(path);
  const lists = [configuration.rules, configuration.roots?.[realOf(root)]?.rules];
  const gather = (name: keyof RuleLists) => lists.flatMap((list) => list?.[name] ?? []);
  return { allow: gather("allow"), ask: gather("ask"), deny: gather("deny") };
}

/** Another writer holds the lock for a few milliseconds; who waits this long waits for somebody who hangs. */
const LOCK_TIMEOUT_MS = 10_000;

/** Adds one rule to those that allow in this root. Saying it twice is saying it once. */
export async function savePersonRule(root: string, rule: string, path = configurationPath()): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = followLink(path);
  await withCommitLock(file, AbortSignal.timeout(LOCK_TIMEOUT_MS), async () => addRule(root, rule, file));
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

/** Without a pause between reading and writing: within one process nothing comes between. */
function addRule(root: string, rule: string, path: string): void {
  const configuration = readConfiguration(path);
  const real = realOf(root);
  const roots = configuration.roots ?? {};
  const entry = roots[real] ?? {};
  const allow = entry.rules?.allow ?? [];
  if (allow.includes(rule)) return;
  const rules = { ...entry.rules, allow: [...allow, rule] };
  replaceFile(path, { ...configuration, roots: { ...roots, [real]: { ...entry, rules } } });
}

function readConfiguration(path: string): Configuration {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Error(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  try {
    return CONFIGURATION.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? describeIssue(error) : messageOf(error);
    throw new Error(`${path} is not as it should be: ${why}. Repair or remove it`, { cause: error });
  }
}

function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? error.message : `${issue.path.join(".")}: ${issue.message}`;
}

/** Whoever reads the file sees the old text or the new one. */
function replaceFile(path: string, configuration: Configuration): void {
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

function realOf(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
