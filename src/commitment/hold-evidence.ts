/**
 * Owns whether what a pass rests on is still as it was.
 * Leaves looking to the ports. Rule: void once anything of it changed, and also where it cannot be looked at any more;
 * what cannot be told does not hold.
 */
import type { Evidence, SeenPath } from "../contract/commitment.ts";
import { clipMiddle } from "../text/search-summary.ts";

/** What is at a path now. */
export type Sighting =
  | { readonly kind: "file" | "folder"; readonly real: string; readonly hash: string; readonly bytes: number }
  | { readonly kind: "absent" }
  | { readonly kind: "unseen"; readonly why: string };

/** A call as the ledger has it. */
export interface CitedCall {
  /** The tool's bare name. */
  readonly tool: string;
  readonly state: "done" | "refused" | "running" | "interrupted";
}

export interface EvidencePorts {
  /** Looks at a path below the root now. */
  readonly look: (path: string) => Sighting;
  /** By `<sessionId>/<callId>`. */
  readonly findCall: (id: string) => CitedCall | undefined;
}

export function findBroken(evidence: Evidence, { look, findCall }: EvidencePorts): string | undefined {
  if (evidence.call !== undefined && findCall(evidence.call) === undefined)
    return `the call ${evidence.call} is no longer in the ledger`;
  for (const seen of evidence.paths) {
    const broken = compareSighting(seen, look(seen.path));
    if (broken !== undefined) return `${clipMiddle(seen.path)} ${broken}`;
  }
  return undefined;
}

/** What is otherwise than it was, as the end of a sentence about the path. */
export function compareSighting(seen: SeenPath, now: Sighting): string | undefined {
  if (now.kind === "absent") return "is gone";
  if (now.kind === "unseen") return now.why;
  if (now.kind !== seen.kind) return `is a ${now.kind} now`;
  if (now.real !== seen.real) return `leads to ${clipMiddle(now.real)} now`;
  return now.hash === seen.hash ? undefined : "has changed";
}
