/**
 * Owns finding words in the arguments and results of a ledger.
 * Leaves showing hits to the surfaces. Rule: a call is found where every word of the query stands in its arguments or
 * in its result, whatever the letter case. There is no index: a search reads what it searches, some 200 MB a second,
 * and equal results once; what most people look for is near the end, where it begins.
 */
import { readEndedBody, readStartedBody } from "./entry-body.ts";
import { loadJson } from "./kept-value.ts";
import { LedgerError } from "./ledger-error.ts";
import { readBlobText } from "./read-blob.ts";
import { eachEntry } from "./read-calls.ts";
import type { EntryRow, Store } from "./store.ts";

/** What to look for, and where. */
export interface SearchRequest {
  /** Words, divided by blanks; `"two words"` is one. */
  readonly text: string;
  /** Only these sessions. */
  readonly sessionIds?: readonly string[];
}

/** One call in which every word was found. */
export interface SearchHit {
  /** `<sessionId>/<callId>`. */
  readonly id: string;
  /** The mounted name. */
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Where the first word was found. */
  readonly in: "arguments" | "result";
  /** The line of the result, 1-based; 1 in arguments. */
  readonly line: number;
  /** That line, or the part of it around the word. */
  readonly text: string;
}

/** Characters of a line that are shown around a word. */
const AROUND = 60;

export function* searchCalls(store: Store, request: SearchRequest): Generator<SearchHit> {
  const words = splitWords(request.text);
  if (words.length === 0) return;
  const sessions = request.sessionIds ?? store.listSessions().map((session) => session.id);
  const texts = openTexts(store);
  for (const sessionId of sessions.toReversed()) {
    const starts = [...eachEntry(store, sessionId)].filter((entry) => entry.kind === "started");
    for (const started of starts.toReversed()) {
      const hit = searchIfThere(store, started, { words, texts });
      if (hit !== undefined) yield hit;
    }
  }
}

/** `permission "no such file"` is two. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) =>
    (quoted ?? plain ?? "").toLowerCase(),
  );
}

interface Found {
  readonly line: number;
  readonly text: string;
}

/** Looks into contents, and remembers which have none of the words: many calls have the same. */
interface Texts {
  read(hash: string): string;
}

function openTexts(store: Store): Texts {
  let last: { hash: string; text: string } | undefined;
  return {
    read(hash) {
      if (last?.hash !== hash) {
        const blob = store.findBlob(hash);
        last = { hash, text: blob === undefined ? "" : readBlobText(store, blob) };
      }
      return last.text;
    },
  };
}

/** What another process prunes meanwhile is not found. */
function searchIfThere(...of: Parameters<typeof searchCall>): SearchHit | undefined {
  try {
    return searchCall(...of);
  } catch (error) {
    if (error instanceof LedgerError && error.code === "session-unknown") return undefined;
    throw error;
  }
}

function searchCall(
  store: Store,
  started: EntryRow,
  { words, texts }: { words: readonly string[]; texts: Texts },
): SearchHit | undefined {
  const body = readStartedBody(started.body);
  const args = loadJson(body.args ?? body.sent, store) ?? "";
  const { sessionId, callId } = started;
  const ended = store.findEntry({ sessionId, callId, kind: "ended" });
  const content = ended === undefined ? "" : texts.read(readEndedBody(ended.body).content);
  const lowerArgs = args.toLowerCase();
  const lowerContent = content.toLowerCase();
  if (!words.every((word) => lowerArgs.includes(word) || lowerContent.includes(word))) return undefined;
  const [first = ""] = words;
  const isInResult = lowerContent.includes(first);
  const found = isInResult ? findLine(content, lowerContent, first) : findLine(args, lowerArgs, first);
  return {
    id: `${sessionId}/${callId}`,
    tool: body.name,
    startedAtMs: started.atMs,
    in: isInResult ? "result" : "arguments",
    ...found,
  };
}

/** The line of a word. Lower case has as many lines as the text, though not always as many characters. */
function findLine(text: string, lower: string, word: string): Found {
  const line = lower.slice(0, lower.indexOf(word)).split("\n").length;
  const whole = text.split("\n", line)[line - 1] ?? "";
  const at = Math.max(0, whole.toLowerCase().indexOf(word));
  const start = Math.max(0, at - AROUND);
  const part = whole.slice(start, at + word.length + AROUND).toWellFormed();
  const isCut = start + part.length < whole.length;
  return { line, text: `${start > 0 ? "…" : ""}${part.trimEnd()}${isCut ? "…" : ""}` };
}
