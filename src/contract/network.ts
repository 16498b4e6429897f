/**
 * Owns the words with which a tool asks for something from the network.
 * Leaves connecting to net/, why it is refused to network-facts.ts. Rule: a tool gets text or a reason.
 */
import type { Refusal } from "./refusal.ts";

/** What commonly leads somewhere: http to https, to the host with or without www, to the page. */
export const MAX_REDIRECTS = 3;
/** Over look-ups, all hops and the body. */
export const FETCH_TIMEOUT_MS = 15_000;

/** Only `allowed: true` lets a connection through. `host` is the URL's, in lower case, without a final dot. */
export type MayConnect = (host: string, port: number) => ConnectVerdict | Promise<ConnectVerdict>;

export interface ConnectVerdict {
  readonly allowed: boolean;
  /** What stands against it, in one phrase that names the rule: `the rule deny connects(a.test) forbids a.test`. */
  readonly rule?: string;
}

export interface TextRequest {
  readonly url: string;
  /** Decoded bytes that are kept. */
  readonly maxBytes: number;
  /** Asked before each hop; absent where nobody asks. */
  readonly mayConnect?: MayConnect | undefined;
  readonly signal: AbortSignal;
}

export interface TextResponse {
  readonly kind: "response";
  /** The URL that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  /** As the header says; absent where it says nothing. */
  readonly mediaType?: string;
  /** How the text is best shown. */
  readonly textKind: "html" | "markdown" | "json" | "xml" | "plain";
  readonly text: string;
  /** Bytes of the body that were kept, decoded. */
  readonly bytes: number;
  /** Whether the body went on past the bound. */
  readonly isCut: boolean;
  /** The encoding that the text was read in. */
  readonly encoding: string;
  /** A charset that was named and is none. */
  readonly unknownCharset?: string;
  /** Whether some bytes did not fit the encoding. */
  readonly isDamaged: boolean;
  /** The URLs that redirected, in order. */
  readonly redirects: readonly string[];
}

/** An answer of status 400 or over whose body is no text. */
export interface BareResponse {
  readonly kind: "bare-response";
  readonly url: string;
  readonly status: number;
  readonly mediaType?: string;
}

/** What a tool may do with the network. */
export interface Network {
  /** GET, screened at each hop. Rejects with the signal's reason where it was cancelled. */
  fetchText(request: TextRequest): Promise<TextResponse | BareResponse | Refusal>;
}
