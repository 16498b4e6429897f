/**
 * Owns what a project's file does to settings: narrowing always, widening once it is trusted.
 * Leaves reading the file to project-file.ts, what the person gives to configure.ts. Rule: whatever is not known to
 * narrow widens. The attack: a repository that is cloned and opened brings its own permission along.
 */
import { MODES, type Mode } from "../../contract/decision.ts";
import { isRecord } from "../../text/is-record.ts";
import { TOOL_NAMES } from "../../tools/catalog.ts";
import type { ProjectSettings, Settings } from "./schema.ts";
import { showJson } from "./show-safely.ts";

export interface Narrowed {
  readonly settings: Settings;
  /** The project's ask rules: they ask for what would run, and open nothing that would not. */
  readonly asks: readonly string[];
  /** Values that would widen, each by its key: `mode "full-access"`. Keys that widen by any value are not looked at. */
  readonly widening: readonly string[];
}

/** What `base` becomes where a project says `project`. */
export function narrow(
  base: Settings,
  project: ProjectSettings,
  defaults: Readonly<Record<string, number>>,
): Narrowed {
  const widening: string[] = [];
  const settings = {
    ...base,
    ...narrowMode(base, project, widening),
    ...narrowReadOnly(base, project, widening),
    ...narrowTools(base, project, widening),
    limits: narrowLimits(base, project, { defaults, widening }),
    extraIgnore: [...(base.extraIgnore ?? []), ...narrowIgnore(project, widening)],
    rules: { ...base.rules, deny: [...(base.rules?.deny ?? []), ...(project.rules?.deny ?? [])] },
  };
  return { settings, asks: project.rules?.ask ?? [], widening };
}

/** The keys of which some value narrows, each looked at by itself. */
const NARROWING = [
  "mode",
  "readOnly",
  "tools",
  "limits",
  "extraIgnore",
] as const satisfies readonly (keyof Settings)[];

function isNarrowing(key: string): boolean {
  return (NARROWING as readonly string[]).includes(key);
}

/** What widens whatever its value. */
export function listWideningKeys(project: Readonly<Record<string, unknown>>): string[] {
  const widening: string[] = [];
  for (const [key, value] of Object.entries(project)) {
    if (key === "$schema" || isNarrowing(key)) continue;
    if (key !== "rules") widening.push(`${key} ${showJson(value)}`);
    else if (isRecord(value) && value.allow !== undefined)
      widening.push(`rules.allow ${showJson(value.allow)}`);
  }
  return widening;
}

/** The part of a project's file that may narrow: all of it that matters while it is not trusted. */
export function pickNarrowing(project: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { rules } = project;
  const { allow: _allow, ...others } = isRecord(rules) ? rules : {};
  return {
    ...Object.fromEntries(Object.entries(project).filter(([key]) => isNarrowing(key))),
    ...(rules === undefined ? {} : { rules: isRecord(rules) ? others : rules }),
  };
}

function narrowMode(base: Settings, { mode }: ProjectSettings, widening: string[]): Pick<Settings, "mode"> {
  const present = base.mode ?? "workspace-write";
  if (mode === undefined || rankOf(mode) === rankOf(present)) return {};
  if (rankOf(mode) < rankOf(present)) return { mode };
  widening.push(`mode ${showJson(mode)}`);
  return {};
}

/** A word that is no mode is left for opening to refuse: nothing is stricter than it. */
function rankOf(mode: string): number {
  return MODES.indexOf(mode as Mode);
}

function narrowReadOnly(
  base: Settings,
  { readOnly }: ProjectSettings,
  widening: string[],
): Pick<Settings, "readOnly"> {
  if (readOnly === false && base.readOnly === true) widening.push("readOnly false");
  return readOnly === true ? { readOnly } : {};
}

function narrowTools(
  base: Settings,
  { tools }: ProjectSettings,
  widening: string[],
): Pick<Settings, "tools"> {
  if (tools === undefined) return {};
  const offered =
    base.tools ?? TOOL_NAMES.filter((name) => name !== "commitments" || base.commitments === true);
  const more = tools.filter((name) => !offered.includes(name));
  if (more.length > 0) widening.push(`tools ${more.join(", ")}`);
  // A name of the person's that is none is left for opening to refuse.
  const isKnown = (name: string): boolean => (TOOL_NAMES as readonly string[]).includes(name);
  return { tools: offered.filter((name) => tools.includes(name) || !isKnown(name)) };
}

function narrowLimits(
  base: Settings,
  project: ProjectSettings,
  {
    defaults,
    widening,
  }: { readonly defaults: Readonly<Record<string, number>>; readonly widening: string[] },
): Settings["limits"] {
  const limits: Record<string, number | undefined> = { ...base.limits };
  for (const [name, value] of Object.entries(project.limits ?? {})) {
    // 0 is the default, here as everywhere: it asks for nothing.
    if (value === undefined || value === 0) continue;
    const present = limits[name] || (defaults[name] ?? Number.POSITIVE_INFINITY);
    if (value > present) widening.push(`limits.${name} ${value}`);
    else limits[name] = value;
  }
  return limits;
}

/** A pattern that begins with `!` brings back what was hidden; so does one further line of it that does. */
function narrowIgnore({ extraIgnore = [] }: ProjectSettings, widening: string[]): readonly string[] {
  const back = extraIgnore.filter((pattern) => /^\s*!/m.test(pattern));
  if (back.length > 0) widening.push(`extraIgnore ${showJson(back)}`);
  return extraIgnore.filter((pattern) => !back.includes(pattern));
}
