/**
 * Owns the ways in which a request ends without a response, as typed values with their facts.
 * Leaves the words to whoever shows them. Types and one small function; no I/O.
 * Rule: no fact holds a password. URLs in facts are shown ones (shown-url.ts).
 */
import type { AddressClass } from "./special-ranges.ts";

/** Why the screen refuses a URL. */
type BlockedBy =
  | { readonly by: "scheme"; readonly scheme: string }
  | { readonly by: "user-info" }
  | { readonly by: "port"; readonly port: number }
  | { readonly by: "name"; readonly host: string; readonly kind: NameClass }
  | {
      readonly by: "address";
      readonly host: string;
      readonly address: string;
      readonly kind: AddressClass;
      /** The address that `address` carries inside, and how: `127.0.0.1` by `IPv4-mapped`. */
      readonly inner?: string;
      readonly via?: string;
      /** `privateHosts` names this host and cannot allow it. */
      readonly isNeverAllowed?: true;
    }
  /** The resolver gave no address at all, or something that is none. */
  | { readonly by: "answer"; readonly host: string; readonly answer: "empty" | "unusable" }
  /** The host's permission does not cover this connection. */
  | { readonly by: "permission"; readonly host: string; readonly port: number; readonly rule?: string }
  /** A redirect from https to http. */
  | { readonly by: "downgrade" };

export type NameClass = "loopback" | "local" | "cloud metadata" | "Unix socket";

/** Where a request was when it failed. */
export type FetchStage = "look-up" | "connect" | "tls" | "request" | "body";

/** The hop at which it ended: 0 is the URL asked for, and `from` the URL that redirected there. */
interface AtHop {
  readonly url: string;
  readonly hop?: number;
  readonly from?: string;
}

export interface NetRefusalFacts {
  "url-invalid": AtHop & {
    readonly reason: "unparsable" | "too-long";
    /** A URL that may have been meant. */
    readonly suggestion?: string;
  };
  "url-blocked": AtHop & BlockedBy;
  "redirect-failed": AtHop & {
    readonly reason: "too-many" | "loop" | "no-location";
    readonly status: number;
    readonly maxRedirects: number;
  };
  "fetch-failed": AtHop & {
    readonly stage: FetchStage;
    /** The system's or the library's code: `ECONNREFUSED`. */
    readonly error: string;
    readonly message: string;
  };
  "fetch-timed-out": AtHop & {
    readonly stage: FetchStage;
    readonly timeoutMs: number;
    readonly receivedBytes: number;
  };
  "fetch-cancelled": AtHop;
  /** The body's `Content-Encoding` is one that nobody asked for, or not what the bytes are. */
  "content-encoding": AtHop & {
    readonly encoding: string;
    readonly reason: "unknown" | "too-many" | "broken" | "truncated";
  };
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
