/**
 * Owns a worker that breaks as it is told. A command `: arm <harm> <phase>` arms it for the call after; a path
 * `<harm>-before` harms that call at once. All other calls it makes as ever. With `tools` behind the phase it is the
 * worker in its fence that is meant, where there are two.
 * Leaves the ordinary worker to dist/. Rule: what is harmed is this process alone.
 */
import { Socket } from "node:net";
import { encodeHeader } from "../../../dist/worker/frames.js";
import { readPackageVersion } from "../../../dist/worker/package-version.js";
import { unpack } from "../../../dist/worker/packed.js";
import { serve } from "../../../dist/worker-entry/serve.js";
import { openTasks } from "../../../dist/worker-entry/tasks.js";

const stream = new Socket({ fd: 3, readable: true, writable: true });
const write = stream.write.bind(stream);
const forever = new Promise(() => {});
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What an answer has to be for its being sent to take a while. */
const LARGE = 100_000;

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
  garbage: () => write(Buffer.alloc(1_000_000, "no frame ")),
  async flood(id) {
    const piece = Buffer.alloc(1_048_576, "x");
    for (;;) {
      write(encodeHeader({ kind: "piece", id }, piece.length));
      if (!write(piece)) await new Promise((resolve) => stream.once("drain", resolve));
      if (stream.destroyed) return;
    }
  },
  leave: () => process.exit(0),
  lie: (id) => {
    const value = Buffer.from(JSON.stringify({ kind: "gave", value: { content: 5, sights: "none" } }));
    write(encodeHeader({ kind: "piece", id }, value.length));
    write(value);
    write(encodeHeader({ kind: "result", id, value: null, parts: [value.length] }, 0));
  },
};

async function harm(name, id) {
  await HARMS[name](id);
  return forever;
}

/** `next` becomes `armed` when the call that said it has been answered. */
let next;
let armed;
let running = 0;

/** The beginning of a call's arguments arrives before the call does: the frames behind it are not read. */
stream.on("data", (chunk) => {
  if (armed?.phase !== "arguments") return;
  const text = chunk.toString("latin1");
  const [, id] = /"kind":"call","id":(\d+)/.exec(text) ?? [];
  if (id !== undefined || text.includes('"kind":"piece"')) void harm(take(), Number(id ?? 1));
});

function take() {
  const { harm: name } = armed;
  armed = undefined;
  return name;
}

function arm(words) {
  const [, name, phase, whose] = /: arm (\w+) (\w+)(?: (tools))?/.exec(words) ?? [];
  // In a namespace of its own, right behind what put up the fence.
  if (name !== undefined && (whose === undefined || process.pid === 2)) next = { harm: name, phase };
}

/** After what is being answered now: the answer is on its way by then. */
function settle() {
  running -= 1;
  if (running > 0) return;
  if (next !== undefined) {
    armed = next;
    next = undefined;
    if (armed.phase === "idle") setTimeout(() => harm(take(), 1), 20);
  } else if (armed?.phase === "end") setImmediate(() => harm(take(), 1));
}

function breakTask(name, run) {
  return async (input, context) => {
    running += 1;
    try {
      return await breakCall({ name, run }, input, context);
    } finally {
      // One that is harmed gets no further than that.
      setImmediate(settle);
    }
  };
}

async function breakCall({ name, run }, input, context) {
  // A call within a call belongs to the one around it.
  if (running > 1) return run(input, context);
  const asked = name === "tool.run" ? unpack(context.parts).input : input;
  const [atOnce, when] = typeof asked?.path === "string" ? asked.path.split("-") : [];
  if (when === "before" && Object.hasOwn(HARMS, atOnce)) return harm(atOnce, context.id);
  arm(String(asked?.command));
  const phase = armed?.phase;
  if (phase === "before") return harm(take(), context.id);
  const working = run(input, context);
  if (phase === "during") {
    // Between two steps of a tool, however many it has; in the middle of a command or a wait.
    await wait(asked?.command === undefined && asked?.id === undefined ? 1 : 100);
    return harm(take(), context.id);
  }
  const answer = await working;
  return phase === "answering" ? breakAnswer(answer, context.id) : answer;
}

async function breakAnswer(answer, id) {
  const name = take();
  if (answer.parts.reduce((sum, { length }) => sum + length, 0) > LARGE) {
    let sent = 0;
    stream.write = (bytes) => {
      sent += bytes.length;
      const roomy = write(bytes);
      if (sent > LARGE / 2 && sent - bytes.length <= LARGE / 2) void harm(name, id);
      return roomy;
    };
    return answer;
  }
  // A small one goes at once: half a piece stands for it.
  write(encodeHeader({ kind: "piece", id }, 1_000));
  write(Buffer.alloc(500));
  await wait(5);
  return harm(name, id);
}

serve({
  stream,
  version: readPackageVersion(),
  openTasks(request) {
    const { tasks, close } = openTasks(request);
    return { tasks: new Map([...tasks].map(([name, run]) => [name, breakTask(name, run)])), close };
  },
}).ended.then(
  () => process.exit(0),
  () => process.exit(1),
);
