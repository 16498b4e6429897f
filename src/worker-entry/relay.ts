/**
 * Owns the relay between a network that has nothing but its loopback and the socket of the host's screen.
 * Leaves starting it, and the namespace around it, to process/confine/relay.ts; what may be reached to the screen.
 * Rule: it pipes bytes and understands none of them. Whatever is connected here ends up at that socket and nowhere else.
 *
 * `relay.js SOCKET PORT`. Says `ready` once it listens.
 */
import { connect, createServer, type Socket } from "node:net";

const [, , path = "", port = ""] = process.argv;

const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const screen = connect({ path, allowHalfOpen: true });
  pipe(client, screen);
  pipe(screen, client);
});

/** One side's end is the other's; one that is gone leaves the other nothing but what is on its way. */
function pipe(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on("error", () => undefined);
  from.on("close", () => to.destroySoon());
}

server.listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
