/**
 * Owns which settings hold for a root: the person's for all roots, a trusted project's, the person's for this root, the
 * flags, in this order; and what the project narrows of all of them.
 * Leaves the files to person-file.ts and project-settings.ts. Rule: what of the project's file is not in force is told.
 */
import { join, resolve } from "node:path";
import { narrow } from "./narrow.ts";
import { readPersonConfiguration, realOf } from "./person-file.ts";
import { configurationPath, PROJECT_FILE } from "./places.ts";
import { checkRules, type Project, readProject } from "./project-settings.ts";
import type { PersonConfiguration, Settings } from "./schema.ts";

export interface Configured {
  readonly settings: Settings;
  /** The project's ask rules, which open nothing that would not run without them. */
  readonly projectAsks: readonly string[];
  readonly project: Project;
  /** What of the project's file is not in force. */
  readonly widening: readonly string[];
  /** One line each, for the person. */
  readonly notes: readonly string[];
}

export interface ConfigureOptions {
  readonly root: string;
  /** What this start was given. */
  readonly flags?: Settings;
  /** The limits of a session where nobody names one. */
  readonly limits: Readonly<Record<string, number>>;
  readonly personPath?: string;
}

/** Throws `ConfigurationError` for a file that cannot be followed. */
export function configure(options: ConfigureOptions): Configured {
  const { root, flags = {}, limits, personPath = configurationPath() } = options;
  const { general, own, trusted } = readPerson(root, personPath);
  const project = readProject(root, trusted);
  const isTrusted = project.trust === "trusted";
  const base = [isTrusted ? widenedBy(project) : {}, own, flags].reduce(merge, general);
  // Patterns of a trusted project are in already, in their place among the others: their order means something.
  const narrowing = isTrusted ? { ...project.settings, extraIgnore: undefined } : project.settings;
  const { settings, asks, widening } = narrow(base, narrowing, limits);
  const closed = isTrusted ? [] : [...project.widening, ...widening];
  const notes = describeProject(resolve(root), project, closed);
  const { mode } = settings;
  if (flags.mode !== undefined && mode !== flags.mode)
    notes.push(`${PROJECT_FILE} narrows the mode ${flags.mode} to ${mode}`);
  return { settings: placePaths(settings, root), projectAsks: asks, project, widening: closed, notes };
}

function readPerson(root: string, path: string) {
  const { roots = {}, $schema: _schema, ...general } = readPersonConfiguration(path);
  const real = realOf(root);
  const entry: NonNullable<PersonConfiguration["roots"]>[string] = Object.hasOwn(roots, real)
    ? (roots[real] ?? {})
    : {};
  const { trusted, ...own } = entry;
  checkRules({ rules: general.rules, root, file: path, above: "" });
  checkRules({ rules: own.rules, root, file: path, above: `roots.${real}.` });
  return { general: general satisfies Settings as Settings, own: own as Settings, trusted };
}

/** What a trusted project gives; its ask and deny rules are added where it narrows. */
function widenedBy({ settings: { $schema: _schema, ...settings } }: Project): Settings {
  return settings.rules === undefined ? settings : { ...settings, rules: { allow: settings.rules.allow } };
}

/** The later one wins, value by value; lists of rules and of patterns add up. */
function merge(before: Settings, after: Settings): Settings {
  const set = Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined));
  const list = (name: "allow" | "ask" | "deny") => [
    ...(before.rules?.[name] ?? []),
    ...(after.rules?.[name] ?? []),
  ];
  return {
    ...before,
    ...set,
    rules: { allow: list("allow"), ask: list("ask"), deny: list("deny") },
    extraIgnore: [...(before.extraIgnore ?? []), ...(after.extraIgnore ?? [])],
    limits: { ...before.limits, ...after.limits },
    shell: { ...before.shell, ...after.shell },
    network: { ...before.network, ...after.network },
    browser: { ...before.browser, ...after.browser },
  };
}

function placePaths(settings: Settings, root: string): Settings {
  const { ledger, stateDir } = settings;
  return {
    ...settings,
    ...(ledger === undefined || ledger === "memory" ? {} : { ledger: resolve(root, ledger) }),
    ...(stateDir === undefined ? {} : { stateDir: resolve(root, stateDir) }),
  };
}

/** More are counted: a file of ten thousand wrong keys must not push everything else off the screen. */
const NAMED_MAX = 30;

function describeProject(root: string, project: Project, closed: readonly string[]): string[] {
  const { file, trust, unknown } = project;
  const path = join(root, PROJECT_FILE);
  if (file.kind === "ignored") return [`${path} is ignored: ${file.why}`];
  const notes: string[] = [];
  if (closed.length > 0) {
    const why = trust === "changed" ? "has changed since it was trusted" : "is not trusted";
    notes.push(
      `${path} ${why}; not in force: ${nameSome(closed)}. Once you have read it, haft trust ${quoteWord(root)} puts that in force`,
    );
  }
  if (unknown.length > 0) notes.push(`${path} has keys that are none, ignored: ${nameSome(unknown)}`);
  return notes;
}

function nameSome(names: readonly string[]): string {
  if (names.length <= NAMED_MAX) return names.join("; ");
  return `${names.slice(0, NAMED_MAX).join("; ")}; and ${names.length - NAMED_MAX} more`;
}

/** As a POSIX shell takes it for one word. */
export function quoteWord(text: string): string {
  return /^[\w./@:+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
