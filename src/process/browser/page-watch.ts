/**
 * Owns when what a browser has printed is a whole page.
 * Leaves ending the browser to run-browser.ts. Rule: the files are looked at, never waited for: a browser that does
 * not end, or whose children hold its output, has printed its page all the same.
 */
import { fstatSync, ftruncateSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Profile } from "./browser-profile.ts";

/** Why the wait was over. */
export type PageMet = "complete" | "failed" | "exited" | "too-long" | "timed-out" | "cancelled";

export interface PageWait {
  readonly profile: Profile;
  /** Bytes of the DOM after which no more of it is wanted. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Whether more comes after the DOM: only the browser's own end says that it is there. */
  readonly waitForExit: boolean;
  readonly exited: Promise<unknown>;
  readonly signal: AbortSignal;
}

const LOOK_MS = 40;
/** After the end of the DOM: Chromium needs a tenth of it to end by itself, and then its log is whole. */
const EXIT_MS = 750;
const END = "</html>";
/** What Chromium prints where there is no page to be had. Now and then it does not end after it: where a download came. */
const FAILURE = "Page load failed: ";
const LAST_ERROR_BYTES = 4_096;
/** Error output that is kept on disk; what a browser prints without end fills no disk. */
const MAX_ERROR_BYTES = 4_194_304;

export async function waitForPage(wait: PageWait): Promise<PageMet> {
  const { profile, signal } = wait;
  const until = performance.now() + wait.timeoutMs;
  let hasExited = false;
  void wait.exited.then(() => {
    hasExited = true;
  });
  let completeAt: number | undefined;
  let failedAt: number | undefined;
  let seen = -1;
  for (;;) {
    if (signal.aborted) return "cancelled";
    // Looked at before the file: what was printed until then is in it.
    const isOver = hasExited;
    const { size } = fstatSync(profile.dom);
    if (size > wait.maxBytes) return "too-long";
    if (isOver) return "exited";
    const now = performance.now();
    if (size !== seen) completeAt = endsPage(profile.dom, size) ? now : undefined;
    seen = size;
    if (!wait.waitForExit && completeAt !== undefined && now - completeAt > EXIT_MS) return "complete";
    if (failedAt === undefined && saysFailure(profile.errors)) failedAt = now;
    if (size === 0 && failedAt !== undefined && now - failedAt > EXIT_MS) return "failed";
    if (now > until) return "timed-out";
    if (fstatSync(profile.errors).size > MAX_ERROR_BYTES) ftruncateSync(profile.errors, 0);
    await Promise.race([sleep(LOOK_MS), hasExited ? undefined : wait.exited]);
  }
}

/** Whether the document is closed at the end of the file: inside a page the word is text like any other. */
export function endsPage(fd: number, size: number): boolean {
  const last = Buffer.alloc(Math.min(size, END.length + 64));
  readSync(fd, last, 0, last.length, size - last.length);
  return last.toString("latin1").trimEnd().toLowerCase().endsWith(END);
}

function saysFailure(errors: number): boolean {
  return readEnd(errors, LAST_ERROR_BYTES).includes(FAILURE);
}

export function readStart(fd: number, maxBytes: number): Buffer {
  const bytes = Buffer.alloc(Math.min(fstatSync(fd).size, maxBytes));
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(fd, bytes, length, bytes.length - length, length);
  return bytes.subarray(0, length);
}

export function readEnd(fd: number, maxBytes: number): Buffer {
  const { size } = fstatSync(fd);
  const bytes = Buffer.alloc(Math.min(size, maxBytes));
  const read = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
  return bytes.subarray(0, read);
}
