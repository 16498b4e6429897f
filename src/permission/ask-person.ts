/**
 * Owns asking a person about a call, and what counts as an answer.
 * Leaves the asking itself to the host's `approve`, saving to its `saveRule`.
 * Rule: whatever is no clear yes is a no: no approver, one that throws, one that never answers before the call ends,
 * an answer that cannot be read. An answer for from now on must name what it allows, and cover this very call.
 */
import type { Approve, Ask } from "../contract/decision.ts";
import { onAbort } from "../toolset/on-abort.ts";
import { findCover } from "./cover.ts";
import type { Effect } from "./effect.ts";
import { parseRule, type Rule, type RuleContext } from "./rule.ts";

export type Settled =
  | { readonly kind: "once" }
  | { readonly kind: "always"; readonly rule: Rule }
  | { readonly kind: "denied"; readonly by: "approver" | "nobody"; readonly why?: string };

export interface Asking {
  readonly approve: Approve | undefined;
  readonly ask: Ask;
  readonly signal: AbortSignal;
  /** Reads a rule for from now on, or says what is wrong with it. */
  readonly readRule: (text: string) => Rule | { readonly wrong: string };
}

export async function askPerson({ approve, ask, signal, readRule }: Asking): Promise<Settled> {
  if (approve === undefined) return { kind: "denied", by: "nobody" };
  if (signal.aborted) return { kind: "denied", by: "nobody", why: "the call ended before anybody was asked" };
  let answer: unknown;
  try {
    answer = await untilAborted(async () => approve(ask, { signal }), signal);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "denied", by: "nobody", why: why.replace(/\s+/g, " ").trim().toWellFormed() };
  }
  return readAnswer(answer, readRule);
}

/** What a host does about a question, and no longer than the call lasts: a host may never come back. */
export async function untilAborted<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  let end = () => {};
  const ended = new Promise<never>((_, reject) => {
    const leave = () => reject(new Error("the call ended before anybody had answered"));
    end = onAbort(signal, leave);
    if (signal.aborted) leave();
  });
  try {
    return await Promise.race([act(), ended]);
  } finally {
    end();
  }
}

function readAnswer(answer: unknown, readRule: Asking["readRule"]): Settled {
  const parts = (typeof answer === "object" && answer !== null ? answer : {}) as {
    readonly [K in "allow" | "rule" | "deny"]?: unknown;
  };
  if (typeof parts.deny === "string")
    return { kind: "denied", by: "approver", why: parts.deny.replace(/\s+/g, " ").trim().toWellFormed() };
  if (parts.deny === undefined && parts.allow === "once") return { kind: "once" };
  if (parts.deny === undefined && parts.allow === "always" && typeof parts.rule === "string") {
    const rule = readRule(parts.rule);
    if ("text" in rule) return { kind: "always", rule };
    return { kind: "denied", by: "nobody", why: rule.wrong };
  }
  return { kind: "denied", by: "nobody", why: "the answer could not be understood" };
}

/** Reads the rule of an answer. The attack: an answer made for the model's sake that opens more than was shown. */
export function readGivenRule(of: {
  readonly text: string;
  readonly suggestedRule: string | undefined;
  readonly call: { readonly tool: string; readonly effects: readonly Effect[] };
  /** What is allowed already. */
  readonly allowed: readonly Rule[];
  readonly context: RuleContext;
}): Rule | { readonly wrong: string } {
  const { text, suggestedRule, call, allowed, context } = of;
  let rule: Rule;
  try {
    rule = parseRule({ text, list: "allow", option: "rule", context });
  } catch (error) {
    return { wrong: `the rule of the answer is none: ${error instanceof Error ? error.message : "?"}` };
  }
  if (rule.text !== suggestedRule && isBroad(rule))
    return {
      wrong: `the rule ${rule.text} of the answer says no path, command or host, so it was not taken`,
    };
  if (findCover([...allowed, rule], call) === undefined)
    return { wrong: `the rule ${rule.text} of the answer does not cover this call` };
  return rule;
}

/** Whether a rule takes whatever there is: one without brackets, or one with nothing but stars in them. */
function isBroad({ name, pattern }: Rule): boolean {
  if (name === "*" || pattern === undefined) return true;
  return (
    pattern.path?.covers("\u{1}/\u{1}/\u{1}") === true ||
    pattern.shell?.covers({ words: ["\u{1}", "\u{1}"], assignments: [] }) === true ||
    pattern.host?.covers({ name: "\u{1}", port: 1 }) === true
  );
}
