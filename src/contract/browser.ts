/**
 * Owns the words with which a tool asks for a page as a browser makes it.
 * Leaves running the browser to process/, in the worker, and what it may connect to to net/, in the host.
 * Rule: nothing is launched before the URL was screened, and everything that the page asks for is screened too.
 */
import type { MayConnect } from "./network.ts";
import type { Refusal } from "./refusal.ts";

export interface PageVisit {
  readonly url: string;
  /** Virtual milliseconds that the page's timers may run; real ones pass only while it waits for the network. */
  readonly waitMs: number;
  readonly screenshot: boolean;
  /** Bytes of the DOM that are kept. */
  readonly maxBytes: number;
  /** Whether the permission of the call covers one more connection; absent where nobody asks. */
  readonly mayConnect?: MayConnect | undefined;
  readonly signal: AbortSignal;
}

/** What was refused of what a page asked for: how much, and the first of it. */
export interface BlockedRequests {
  readonly count: number;
  readonly first: readonly { readonly url: string; readonly why: string }[];
}

/** What there is to tell of every run. */
interface Run {
  readonly blocked: BlockedRequests;
  /** Requests and tunnels of the page that were let through. */
  readonly connected: number;
  /** Absolute path of the browser. */
  readonly browser: string;
  /** Whether the browser's own sandbox was on. */
  readonly isSandboxed: boolean;
  /** Why it was not confined, where that was preferred. */
  readonly open?: string;
  readonly durationMs: number;
}

export type Visited =
  | (Run & {
      readonly kind: "page";
      /** UTF-8, whole characters. */
      readonly dom: string;
      readonly bytes: number;
      /** The DOM went on past the bound. */
      readonly isCut: boolean;
      /** The browser had not finished when its time was over: the DOM is what it had given by then. */
      readonly isUnfinished: boolean;
      /** After redirects, as far as the browser told. */
      readonly url: string;
      readonly status?: number;
      readonly mediaType?: string;
      /** PNG. */
      readonly screenshot?: Uint8Array;
    })
  /** The browser gave no page. */
  | (Run & { readonly kind: "no-page"; readonly isTimedOut: boolean; readonly lastWords: string })
  /** Nothing was launched, or what was asked for was refused on the way. */
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** What a tool may do with a browser. */
export interface Browser {
  /** Rejects with the signal's reason where it was cancelled, with `WorkerError` where the worker was lost. */
  visit(visit: PageVisit): Promise<Visited>;
}
