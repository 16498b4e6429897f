/**
 * Owns what a session's permission is made of, and what the session is given of it.
 * Leaves rules to rule.ts, deciding to judge.ts, asking to ask-person.ts, refusing to station.ts.
 * Rule: decided before a call runs, from its normalised arguments and its declared access, never inside a tool.
 */
import { type Approve, MODES, type Mode, type Rules } from "../contract/decision.ts";
import { OptionsError } from "../contract/errors.ts";
import type { Root } from "../contract/root.ts";
import type { LedName } from "../root/led-names.ts";
import { nearestName } from "../text/edit-distance.ts";
import type { Wrapper } from "../toolset/dispatch.ts";
import type { PreparedCall } from "../toolset/mounted.ts";
import type { WithheldRules } from "../worker/run-tool.ts";
import { askPerson, readGivenRule, untilAborted } from "./ask-person.ts";
import { type Hop, refuseHop } from "./hop.ts";
import { type Judgement, judgeCall } from "./judge.ts";
import type { Recalled } from "./recalled.ts";
import { parseRule, type Rule, type RuleContext, type RuleLists } from "./rule.ts";
import { openRuleLinks } from "./search-names.ts";
import { makeStation, type StationOptions, type StationParts } from "./station.ts";
import type { Verdict } from "./verdict.ts";
import { gatherLinksOfWalks } from "./walk-links.ts";
import { describeWithheld, makeCommandRules, makeWithholds, trackCalls } from "./withhold.ts";

export type { Hop } from "./hop.ts";
export type { StationOptions } from "./station.ts";
export type { Verdict } from "./verdict.ts";

export interface PermissionOptions {
  readonly mode: Mode;
  readonly rules?: Rules | undefined;
  /** Ask rules of somebody who may not open anything: what the mode denies stays denied, though a person could be asked. */
  readonly narrowingAsks?: readonly string[] | undefined;
  /** Where the calls' places are; looked through below a folder that is to be deleted or moved. */
  readonly root: Root;
  /** Bare names of tools beside haft's own that rules may name. */
  readonly tools?: readonly string[];
  readonly approve?: Approve | undefined;
  /** Entries that are looked at for each rule where a file has several names; 100,000 where it is absent. */
  readonly maxEntries?: number | undefined;
  /** What an earlier call read, whose result this one would show. */
  readonly recalled?: ((prepared: PreparedCall) => Recalled | undefined) | undefined;
  /** Told a rule that a person gave for from now on. */
  readonly saveRule?: ((rule: string) => void | Promise<void>) | undefined;
  /** How this host takes an allow rule: `--allow 'runs(npm test)'`. */
  readonly flag?: ((rule: string) => string) | undefined;
  /** What a call would change, as a diff, for the person who is asked. What it throws is no preview. */
  readonly preview?: ((prepared: PreparedCall) => Promise<string | undefined>) | undefined;
}

export interface Permission {
  readonly mode: Mode;
  /** Runs nothing and asks nobody. Looks below a folder that is to be deleted or moved. */
  judge(prepared: PreparedCall, options?: { readonly signal?: AbortSignal }): Promise<Verdict>;
  /** The station between the gate and the runner. */
  station(options: StationOptions): Wrapper;
  /** The rule that hides this real path from walks, as it was written. For `ports.withholds`. */
  withholds(realPath: string): string | undefined;
  /** What no command may read or change, for the fence around commands. */
  readonly commandRules: {
    hides(realPath: string): string | undefined;
    locks(realPath: string): string | undefined;
    /** Looks where links lead that the rules speak of; the same list where nothing is new. */
    follow(): Promise<readonly LedName[]>;
  };
  /** What hides paths in the call that runs now, as it was written: for a tool that runs in the worker. */
  withheld(): WithheldRules | undefined;
  /** Why a connection may not be made, in one phrase that names the rule or the host; undefined where it may. */
  mayConnect(hop: Hop): string | undefined;
  /** All rules in force; those that a person gave meanwhile are among the allowed. */
  rules(): { readonly [L in keyof Rules]-?: readonly string[] };
}

/** Throws `OptionsError` for a mode or a rule that is none. */
export function openPermission(options: PermissionOptions): Permission {
  const { mode, root, maxEntries } = options;
  if (!MODES.includes(mode))
    throw new OptionsError({ option: "mode", expected: `one of ${MODES.join(", ")}`, got: String(mode) });
  const context = { root, tools: options.tools ?? [] };
  const read = readRules(options.rules, context);
  const given = { ...read, ask: [...read.ask, ...readNarrowing(options.narrowingAsks ?? [], context)] };
  const granted: Rule[] = [];
  const lists: RuleLists = { ...given, granted };
  const running = trackCalls();
  const links = openRuleLinks(root, [...given.deny, ...given.ask]);
  const judge = (prepared: PreparedCall, signal: AbortSignal) =>
    judgeCall({
      prepared,
      mode,
      lists,
      context,
      links,
      maxEntries,
      recalled: options.recalled?.(prepared),
      signal,
    });
  const parts: StationParts = {
    mode,
    running,
    judge,
    settle: makeSettle(options, { lists, granted, context }),
    gatherLinks: (prepared, { tools, asks, led }, signal) =>
      gatherLinksOfWalks({ root, lists, prepared, tools, answered: asks, led, maxEntries, signal }),
    preview: async (prepared) => {
      try {
        return await options.preview?.(prepared);
      } catch {
        return undefined;
      }
    },
    flag: options.flag,
  };
  return {
    mode,
    judge: async (prepared, { signal } = {}) => tellVerdict(await judge(prepared, signal ?? NEVER)),
    station: (of) => makeStation(parts, of),
    withholds: makeWithholds(root, { lists: () => lists, running, led: links.latest }),
    withheld: () => describeWithheld({ lists: () => lists, running, led: links.latest }),
    commandRules: makeCommandRules(root, () => lists, links),
    mayConnect: (hop) => refuseHop(hop, lists),
    rules: () => ({
      allow: [...granted, ...given.allow].map(({ text }) => text),
      ask: given.ask.map(({ text }) => text),
      deny: given.deny.map(({ text }) => text),
    }),
  };
}

const NEVER = new AbortController().signal;

function tellVerdict({
  list: _list,
  asks: _asks,
  tools: _tools,
  facts: _facts,
  led: _led,
  why: _why,
  ...verdict
}: Judgement): Verdict {
  return verdict;
}

/** Asks; a rule for from now on holds at once, whatever becomes of saving it. */
function makeSettle(
  { approve, saveRule }: PermissionOptions,
  of: { readonly lists: RuleLists; readonly granted: Rule[]; readonly context: RuleContext },
): StationParts["settle"] {
  return async ({ ask, judgement, prepared, signal }) => {
    const call = { tool: prepared.tool.name, effects: judgement.facts };
    const { suggestedRule } = judgement;
    const allowed = [...of.granted, ...of.lists.allow];
    const readRule = (text: string) =>
      readGivenRule({ text, suggestedRule, call, allowed, context: of.context });
    const settled = await askPerson({ approve, ask, signal, readRule });
    if (settled.kind !== "always") return { settled };
    of.granted.push(settled.rule);
    try {
      await untilAborted(async () => saveRule?.(settled.rule.text), signal);
      return { settled };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return {
        settled,
        note: `the rule holds for this session, and could not be saved: ${why}`.toWellFormed(),
      };
    }
  };
}

function readNarrowing(texts: readonly string[], context: RuleContext): readonly Rule[] {
  return texts.map((text, index) => ({
    ...parseRule({ text, list: "ask", option: `narrowingAsks[${index}]`, context }),
    narrows: true,
  }));
}

const LISTS = ["allow", "ask", "deny"] as const satisfies readonly (keyof Rules)[];

function readRules(rules: unknown, context: RuleContext): Omit<RuleLists, "granted"> {
  if (rules !== undefined && (typeof rules !== "object" || rules === null || Array.isArray(rules)))
    throw new OptionsError({ option: "rules", expected: "an object with allow, ask and deny" });
  const record = (rules ?? {}) as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(record)) {
    if ((LISTS as readonly string[]).includes(name)) continue;
    const near = nearestName(name, LISTS);
    const hint = near === undefined ? "" : `rules.${near} (the nearest name): `;
    throw new OptionsError({ option: `rules.${name}`, expected: `${hint}one of ${LISTS.join(", ")}` });
  }
  const read = (list: keyof Rules): readonly Rule[] => {
    const texts = record[list] ?? [];
    if (!Array.isArray(texts))
      throw new OptionsError({ option: `rules.${list}`, expected: "an array of rules" });
    return texts.map((text: unknown, index) =>
      parseRule({ text, list, option: `rules.${list}[${index}]`, context }),
    );
  };
  return { allow: read("allow"), ask: read("ask"), deny: read("deny") };
}
