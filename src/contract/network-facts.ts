/**
 * Owns the facts of refusals of what connects, and of what came of connecting.
 * Leaves the list of all refusals to refusal.ts, finding them to net/ and the tools. Types alone.
 * Rule: no fact holds a password, and URLs in facts are shown ones.
 */

/** What kind of address one is that is not for the public Internet. */
export type AddressClass =
  | "this host"
  | "loopback"
  | "private"
  | "shared address space"
  | "link-local"
  | "unique local"
  | "site-local"
  | "multicast"
  | "broadcast"
  | "documentation"
  | "benchmarking"
  | "discard-only"
  | "reserved"
  | "cloud metadata"
  | "IPv4-compatible"
  | "IPv4-translated"
  | "local NAT64"
  | "6to4"
  | "Teredo"
  | "zoned";

export type NameClass = "loopback" | "local" | "cloud metadata" | "Unix socket";

/** Where a request was when it failed. */
export type FetchStage = "look-up" | "connect" | "tls" | "request" | "body";

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

/** The hop at which it ended: 0 is the URL asked for, and `from` the URL that redirected there. */
interface AtHop {
  readonly url: string;
  readonly hop?: number;
  readonly from?: string;
}

/** Refusals of everything that connects. */
export interface NetworkRefusalFacts {
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
  /** The body's `Content-Encoding` is one that nobody asked for, or not what the bytes are. */
  "content-encoding": AtHop & {
    readonly encoding: string;
    readonly reason: "unknown" | "too-many" | "broken" | "truncated";
  };
}

/** Refusals of what came. */
export interface ResponseRefusalFacts {
  /** 400 and over. */
  "http-status": { readonly url: string; readonly status: number };
  /** `by: "bytes"` means that the header says text, or nothing, and the bytes do not. */
  "content-type": {
    readonly url: string;
    readonly by: "header" | "bytes";
    readonly mediaType?: string;
    /** What the bytes are: `png image`. */
    readonly found?: string;
  };
}
