/**
 * Owns telling of new output while a command runs.
 * Leaves keeping it to capture.ts. Rule: a few times a second, the latest of it alone, on character borders; it looks at
 * what was kept, so that reading a flood costs the same with it.
 */
import { unfinishedBytes } from "./capture.ts";
import type { Stream } from "./start-command.ts";

const EVERY_MS = 200;
const MAX_BYTES = 2_048;

export interface OutputWatch {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly onOutput: (text: string) => void;
}

/** Returns what stops it. */
export function watchOutput({ stdout, stderr, onOutput }: OutputWatch): () => void {
  const readers = [makeReader(stdout), makeReader(stderr)];
  const timer = setInterval(() => {
    const text = readers.map((read) => read()).join("");
    if (text !== "") onOutput(text);
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}

function makeReader({ capture }: Stream): () => string {
  let offset = 0;
  return () => {
    const bytes = capture.latest(offset, MAX_BYTES);
    const whole = bytes.subarray(0, bytes.length - unfinishedBytes(bytes));
    const isCut = capture.seen() - offset > bytes.length;
    offset = capture.seen() - (bytes.length - whole.length);
    return new TextDecoder().decode(isCut ? skipInside(whole) : whole);
  };
}

/** From the first byte on that begins a character. */
function skipInside(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}
