/**
 * Owns asking for the addresses of a name, once, and reading the answer.
 * Leaves judging the addresses to screen.ts. Rule: the answer of a resolver that a host gave is data from outside;
 * one entry that is no address, or whose family is not its own, makes the whole answer unusable.
 */
import { lookup as systemLookup } from "node:dns/promises";
import { ABORTED, raceAbort } from "./abort-race.ts";
import { type Address, parseStrictAddress } from "./address.ts";

export type Lookup = (host: string) => Promise<readonly { address: string; family: number }[]>;

export type Answer =
  | { readonly kind: "addresses"; readonly addresses: readonly Address[] }
  | { readonly kind: "empty" | "unusable" }
  | { readonly kind: "failed"; readonly error: string; readonly message: string }
  | { readonly kind: "aborted" };

/** The system's resolver, so that what the machine calls a name (its hosts file, its VPN) is what is screened. */
const lookUpSystem: Lookup = (host) => systemLookup(host, { all: true, verbatim: true });

export async function lookUp(of: {
  readonly host: string;
  readonly lookup: Lookup | undefined;
  readonly signal: AbortSignal | undefined;
}): Promise<Answer> {
  if (of.signal?.aborted) return { kind: "aborted" };
  try {
    const answer: unknown = await raceAbort((of.lookup ?? lookUpSystem)(of.host), of.signal);
    return answer === ABORTED ? { kind: "aborted" } : readAnswer(answer);
  } catch (error) {
    return { kind: "failed", error: codeOf(error), message: error instanceof Error ? error.message : "" };
  }
}

function readAnswer(answer: unknown): Answer {
  if (!Array.isArray(answer)) return { kind: "unusable" };
  if (answer.length === 0) return { kind: "empty" };
  const addresses = answer.map(readEntry);
  const usable = addresses.filter((address) => address !== undefined);
  return usable.length === addresses.length ? { kind: "addresses", addresses: usable } : { kind: "unusable" };
}

function readEntry(entry: unknown): Address | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { address, family } = entry as { address?: unknown; family?: unknown };
  const parsed = typeof address === "string" ? parseStrictAddress(address) : undefined;
  return parsed?.family === family ? parsed : undefined;
}

/** The code of a system's error, `ENOTFOUND`, or the error's name. */
export function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === "string") return code;
  return typeof name === "string" ? name : "Error";
}
