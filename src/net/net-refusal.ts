/**
 * Owns the ways in which a request ends without a response, as values.
 * Leaves their facts to contract/network.ts, the words to whoever shows them. One small function each way; no I/O.
 * Rule: no fact holds a password. URLs in facts are shown ones (shown-url.ts).
 */
import type { NetworkRefusalFacts } from "../contract/network-facts.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";

export type { FetchStage, NameClass } from "../contract/network-facts.ts";

export interface NetRefusalFacts extends NetworkRefusalFacts {
  "fetch-cancelled": { readonly url: string; readonly hop?: number; readonly from?: string };
}

export type NetRefusalCode = keyof NetRefusalFacts;

export type NetRefusal = {
  [C in NetRefusalCode]: {
    readonly kind: "net-refusal";
    readonly code: C;
    readonly facts: NetRefusalFacts[C];
  };
}[NetRefusalCode];

type NetRefusalOf<C extends NetRefusalCode> = Extract<NetRefusal, { code: C }>;

/** Makes a refusal. It is returned, never thrown. */
export function refuseNet<C extends NetRefusalCode>(code: C, facts: NetRefusalFacts[C]): NetRefusalOf<C> {
  return { kind: "net-refusal", code, facts } as unknown as NetRefusalOf<C>;
}

/** The refusal of the call. A cancelled one is the caller's to tell: it throws the signal's reason. */
export function toRefusal(refusal: NetRefusal, signal: AbortSignal): Refusal {
  if (refusal.code !== "fetch-cancelled") return refuse(refusal.code, refusal.facts) as Refusal;
  signal.throwIfAborted();
  throw new Error("a request ended as cancelled that nobody had cancelled");
}

/** `loopback address`, `rule deny connects(x)`: ends a sentence. */
export function explainBlock(code: string, facts: NetRefusal["facts"]): string {
  if (!("by" in facts)) return code;
  if (facts.by === "address") return `${facts.kind} address`;
  if (facts.by === "name") return `${facts.kind} name`;
  if (facts.by === "permission") return facts.rule ?? "no rule allows it";
  if (facts.by === "user-info") return "user info in the address";
  if (facts.by === "answer") return "no usable address";
  return facts.by === "scheme" ? `scheme ${facts.scheme}` : facts.by === "port" ? "blocked port" : facts.by;
}
