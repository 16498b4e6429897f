/**
 * Owns standard output while the server runs: only protocol messages reach it.
 * Leaves what a message is to the SDK. Rule: nothing but the returned stream writes to descriptor 1.
 *
 * A stray `console.log` of any module would stand between two messages, and the client would end the
 * connection. What runs before this file (a `--import` preload) and what writes to descriptor 1 past
 * `process.stdout` cannot be caught here.
 */
import { Writable } from "node:stream";

/** Sends every later write to `process.stdout` to standard error, and gives the one stream that still leads out. */
export function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const writeOut = stdout.write.bind(stdout);
  const writeAside = stderr.write.bind(stderr);
  const protocol = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      writeOut(chunk, (error) => done(error ?? null));
    },
  });
  // A client that is gone shows here as EPIPE. Without a listener it would end the process with a stack trace.
  stdout.on("error", (error) => protocol.destroy(error));
  stdout.write = writeAside as typeof stdout.write;
  return protocol;
}
