/**
 * Owns the worker's process: the channel that it inherits, and when it ends.
 * Leaves what is said to serve.ts, what is done to tasks.ts. Rule: it lives as long as its channel. The host that
 * closes it, ends or is killed ends it, and with it everything that it has started. It prints nothing.
 */
import { Socket } from "node:net";
import { closeInherited } from "../process/close-inherited.ts";
import { readPackageVersion } from "../worker/package-version.ts";
import { serve } from "./serve.ts";
import { openTasks } from "./tasks.ts";

/** What is inherited beside the three standard streams. */
const CHANNEL = 3;
/** A host that reads nothing any more does not hold up the end. */
const LAST_MS = 8_000;

closeInherited({ upTo: CHANNEL });

// A terminal's interrupt is meant for the host, which decides what becomes of its calls.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});

const server = serve({
  stream: new Socket({ fd: CHANNEL, readable: true, writable: true }),
  version: readPackageVersion(),
  openTasks,
});
const end = () => {
  server.close();
  setTimeout(() => process.exit(1), LAST_MS).unref();
};
process.on("SIGTERM", end);
server.ended.then(
  () => process.exit(0),
  () => process.exit(1),
);
