/**
 * Owns the client of bench:start: a process, its lines, and the answers to numbered requests.
 * Leaves what is measured to run.mjs. Rule: it does nothing that a server would have to wait for, so that both are
 * measured and not the client: lines in, lines out, no SDK.
 */
import { spawn } from "node:child_process";

/** Starts a server; `request` gives the result of one request. */
export function startServer(args, { cwd, env = process.env, execPath = process.execPath }) {
  const child = spawn(execPath, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let rest = "";
  let next = 0;
  child.stdout.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message);
    }
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  exited.then(() => {
    for (const [id, settle] of waiting) settle({ id, error: "the server ended" });
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    notify: (method, params) => send({ method, params }),
    request(method, params) {
      const id = next++;
      return new Promise((resolve, reject) => {
        waiting.set(id, (message) => {
          waiting.delete(id);
          if (message.error === undefined) resolve(message.result);
          else reject(new Error(JSON.stringify(message.error)));
        });
        send({ id, method, params });
      });
    },
    async end() {
      child.stdin.end();
      await exited;
    },
    /** Ends it without its goodbye, which is not measured. */
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** The greeting of a client and the list of tools. */
export async function greet(server) {
  await server.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  });
  server.notify("notifications/initialized");
  const { tools } = await server.request("tools/list", {});
  return tools;
}
