/**
 * Owns a worker that breaks as it is told: `<harm>-<phase>` as the path of a call. All other calls it makes as ever.
 * Leaves the ordinary worker to dist/. Rule: what is harmed is this process alone.
 */
import { Socket } from "node:net";
import { encodeHeader } from "../../../dist/worker/frames.js";
import { readPackageVersion } from "../../../dist/worker/package-version.js";
import { unpack } from "../../../dist/worker/packed.js";
import { serve } from "../../../dist/worker-entry/serve.js";
import { openTasks } from "../../../dist/worker-entry/tasks.js";

const stream = new Socket({ fd: 3, readable: true, writable: true });
const forever = new Promise(() => {});

const HARMS = {
  kill: () => process.kill(process.pid, "SIGKILL"),
  stop: () => process.kill(process.pid, "SIGSTOP"),
  loop() {
    for (;;);
  },
  memory() {
    const held = [];
    for (;;) held.push(new Array(2_000_000).fill({ held: held.length }));
  },
  garbage: () => stream.write(Buffer.alloc(1_000_000, "no frame ")),
  async flood(id) {
    const piece = Buffer.alloc(1_048_576, "x");
    for (;;) {
      stream.write(encodeHeader({ kind: "piece", id }, piece.length));
      if (!stream.write(piece)) await new Promise((resolve) => stream.once("drain", resolve));
      if (stream.destroyed) return;
    }
  },
  leave: () => process.exit(0),
  lie: (id) => {
    const value = Buffer.from(JSON.stringify({ kind: "gave", value: { content: 5, sights: "none" } }));
    stream.write(encodeHeader({ kind: "piece", id }, value.length));
    stream.write(value);
    stream.write(encodeHeader({ kind: "result", id, value: null, parts: [value.length] }, 0));
  },
};

async function doHarm(harm, id) {
  await HARMS[harm](id);
  return forever;
}

function breakTool(run) {
  return async (input, context) => {
    const { path } = unpack(context.parts).input;
    const [harm, phase] = typeof path === "string" ? path.split("-") : [];
    if (!Object.hasOwn(HARMS, harm ?? "")) return run(input, context);
    if (phase === "before") return doHarm(harm, context.id);
    const running = run(input, context);
    // Between two steps of the tool, however many it has.
    if (phase === "during") await new Promise((resolve) => setTimeout(resolve, 1));
    else await running;
    if (phase === "answering") {
      stream.write(encodeHeader({ kind: "piece", id: context.id }, 1_000));
      stream.write(Buffer.alloc(500));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return doHarm(harm, context.id);
  };
}

serve({
  stream,
  version: readPackageVersion(),
  openTasks(request) {
    const { tasks, close } = openTasks(request);
    const broken = new Map(tasks);
    broken.set("tool.run", breakTool(tasks.get("tool.run")));
    return { tasks: broken, close };
  },
}).ended.then(
  () => process.exit(0),
  () => process.exit(1),
);
