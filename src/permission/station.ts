/**
 * Owns the station between the gate and the runner: judged, asked, told, and then run or refused.
 * Leaves deciding to judge.ts and answers to ask-person.ts. Rule: nothing goes on but what is allowed; whatever fails
 * here fails closed. Persons are asked one after the other, and what an answer settles is not asked again.
 */
import type { Call } from "../contract/call.ts";
import type { Ask, Decision, Mode } from "../contract/decision.ts";
import type { ToolOutput } from "../contract/output.ts";
import { refuse } from "../contract/refusal.ts";
import { keepOnOneLine } from "../text/one-line.ts";
import type { Wrapper } from "../toolset/dispatch.ts";
import type { Mounted, PreparedCall } from "../toolset/mounted.ts";
import { renderRefusal } from "../toolset/render-output.ts";
import type { Settled } from "./ask-person.ts";
import { openAskQueue } from "./ask-queue.ts";
import { describeAsk, findWholeCommand } from "./describe-ask.ts";
import { isPathEffect, showEffect } from "./effect.ts";
import type { Judgement } from "./judge.ts";
import type { SearchedNames } from "./search-names.ts";
import type { Verdict } from "./verdict.ts";
import type { RunningCalls } from "./withhold.ts";

export interface StationOptions {
  /** What `makeStations` of the toolset is given. */
  readonly mounted: Mounted;
  readonly find: (call: Call) => PreparedCall | undefined;
  /** Told every decision, before the call runs or is refused. `call` is the very object that goes on. */
  readonly onDecision?: (call: Call, decision: Decision) => void;
  /** Told that a person is about to be asked. */
  readonly onAsk?: (call: Call, verdict: Verdict) => void;
}

/** What the station is made of. */
export interface StationParts {
  readonly mode: Mode;
  readonly running: RunningCalls;
  readonly judge: (prepared: PreparedCall, signal: AbortSignal) => Promise<Judgement>;
  /** Asks the person; gives what came of it, and what is worth knowing of how it was kept. */
  readonly settle: (asked: {
    readonly ask: Ask;
    readonly judgement: Judgement;
    readonly prepared: PreparedCall;
    readonly signal: AbortSignal;
  }) => Promise<{ readonly settled: Settled; readonly note?: string }>;
  /** Other names of files that the walks of a call may meet. */
  readonly gatherLinks: (
    prepared: PreparedCall,
    judgement: Judgement,
    signal: AbortSignal,
  ) => Promise<SearchedNames>;
  readonly preview: (prepared: PreparedCall) => Promise<string | undefined>;
  readonly flag: ((rule: string) => string) | undefined;
}

export function makeStation(parts: StationParts, options: StationOptions): Wrapper {
  const inLine = openAskQueue();
  return (next) => async (call, callOptions) => {
    const signal = callOptions?.signal ?? new AbortController().signal;
    const prepared = options.find(call);
    if (prepared === undefined) throw new Error("a call reached permission without passing the gate");
    const at: StationCall = { parts, options, call, prepared, signal };
    let decided: Decided;
    let searched: SearchedNames = { names: new Map(), open: [] };
    try {
      const judgement = await parts.judge(prepared, signal);
      decided =
        judgement.outcome === "ask"
          ? await inLine(() => askFor(at), signal)
          : { judgement, decision: decideAlone(parts.mode, judgement) };
      if (decided.decision.outcome === "allowed")
        searched = await parts.gatherLinks(prepared, decided.judgement, signal);
    } catch (error) {
      if (signal.aborted) return refuseCancelled(at);
      throw error;
    }
    const { judgement, decision } = decided;
    options.onDecision?.(call, decision);
    if (decision.outcome === "denied") return refuseDenied(at, judgement, decision);
    const { tools, asks, led } = judgement;
    const running = { tools, answered: asks, led, linked: searched.names, open: searched.open };
    return parts.running.run(running, () => next(call, callOptions));
  };
}

interface StationCall {
  readonly parts: StationParts;
  readonly options: StationOptions;
  readonly call: Call;
  readonly prepared: PreparedCall;
  readonly signal: AbortSignal;
}

interface Decided {
  readonly judgement: Judgement;
  readonly decision: Decision;
}

function decideAlone(mode: Mode, judgement: Judgement): Decision {
  return { ...factsOf(mode, judgement), outcome: judgement.outcome === "allow" ? "allowed" : "denied" };
}

function factsOf(mode: Mode, judgement: Judgement): Omit<Decision, "outcome"> {
  const { by, rule, effects, suggestedRule, allowed } = judgement;
  return {
    by,
    mode,
    effects,
    allowed,
    ...(rule === undefined ? {} : { rule }),
    ...(suggestedRule === undefined ? {} : { suggestedRule }),
  };
}

/** Judged again first: an answer to another call may have settled this one. */
async function askFor({ parts, options, call, prepared, signal }: StationCall): Promise<Decided> {
  const judgement = await parts.judge(prepared, signal);
  if (judgement.outcome !== "ask") return { judgement, decision: decideAlone(parts.mode, judgement) };
  options.onAsk?.(call, judgement);
  const { access, name } = prepared;
  const paths = access.paths.map(({ argument, effect, path }) => ({
    effect,
    path: keepOnOneLine(prepared.places.get(argument)?.shown ?? path),
  }));
  const { effects } = judgement;
  const preview = (await parts.preview(prepared)) ?? findWholeCommand(access.runs, effects);
  const ask: Ask = {
    call,
    access,
    reason: `${describeAsk({ name, effects, paths })}: ${judgement.reason}`,
    ...(judgement.by === "rule" && judgement.rule !== undefined ? { rule: judgement.rule } : {}),
    ...(preview === undefined ? {} : { preview }),
    ...(judgement.suggestedRule === undefined ? {} : { suggestedRule: judgement.suggestedRule }),
  };
  const { settled, note } = await parts.settle({ ask, judgement, prepared, signal });
  const facts = factsOf(parts.mode, judgement);
  if (settled.kind === "denied") {
    const { by, why } = settled;
    return {
      judgement,
      decision: { ...facts, outcome: "denied", by, ...(why === undefined ? {} : { why }) },
    };
  }
  return {
    judgement,
    decision: {
      ...facts,
      outcome: "allowed",
      by: "approver",
      allowed: [],
      ...(settled.kind === "always" ? { rule: settled.rule.text } : {}),
      ...(note === undefined ? {} : { why: note }),
    },
  };
}

function refuseDenied(
  { parts, options, prepared }: StationCall,
  judgement: Judgement,
  { by, mode, allowed, why: answer }: Decision,
): ToolOutput {
  const why = by === "rule" ? judgement.why : answer;
  const { rule, list, unseen } = judgement;
  // What an earlier call read is not named: the rule may hide that it is there.
  const effects = judgement.facts
    .filter((effect) => !isPathEffect(effect) || effect.recalls === undefined)
    .map(showEffect);
  // An allow rule helps where the mode decides; against a rule that asks it is of no use.
  const suggestedRule = judgement.by === "mode" ? judgement.suggestedRule : undefined;
  const refusal = refuse("permission-denied", {
    tool: prepared.name,
    by: by === "rule" || by === "mode" || by === "approver" ? by : "nobody",
    ...(rule === undefined || list === undefined ? {} : { rule: `${list} ${rule}` }),
    effects,
    mode,
    ...(why === undefined || why === "" ? {} : { why }),
    allowed,
    ...(unseen.length === 0 || judgement.outcome === "deny" ? {} : { unseen }),
    ...(suggestedRule === undefined ? {} : { suggestedRule }),
    ...(suggestedRule === undefined || parts.flag === undefined ? {} : { flag: parts.flag(suggestedRule) }),
  });
  return renderRefusal({ refusal, mounted: options.mounted, tool: prepared.tool, notes: prepared.notes });
}

function refuseCancelled({ options, prepared }: StationCall): ToolOutput {
  const refusal = refuse("call-cancelled", { tool: prepared.name });
  return renderRefusal({ refusal, mounted: options.mounted, tool: prepared.tool });
}
