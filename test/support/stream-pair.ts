/**
 * Owns two streams in memory, each the other's far end: a channel without a process.
 * Rule: what is written arrives in order and later, as from another process; ending or destroying one ends the other.
 */
import { Duplex } from "node:stream";

export function makeStreamPair(): [Duplex, Duplex] {
  const make = (far: () => Duplex): Duplex =>
    new Duplex({
      allowHalfOpen: false,
      read() {},
      write(chunk, _encoding, done) {
        setImmediate(() => {
          if (!far().destroyed) far().push(chunk);
          done();
        });
      },
      final(done) {
        far().push(null);
        done();
      },
      destroy(error, done) {
        setImmediate(() => {
          if (!far().destroyed) far().push(null);
        });
        done(error);
      },
    });
  const one: Duplex = make(() => other);
  const other: Duplex = make(() => one);
  return [one, other];
}
