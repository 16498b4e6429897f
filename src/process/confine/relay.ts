/**
 * Owns the network of what is confined without the host's: a namespace with a loopback of its own, in which a relay
 * listens and pipes to the socket of the host's screen.
 * Leaves the fence around what enters it to its callers, piping to worker-entry/relay.ts, what may be reached to the
 * screen. Rule: one relay for each socket, started with the first that needs it, so that a command pays for entering alone;
 * the socket is in the relay's own view of the system and in nobody else's. Where the relay cannot be had, nothing is run;
 * where it ends, nothing is reached.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { scrubEnvironment } from "../environment.ts";
import { MARK } from "../process-table.ts";
import { killChild } from "../signal.ts";
import { enterWords, RELAY_PORT, type RelayRequest, relayArguments } from "./relay-words.ts";
import type { FenceArguments } from "./supervise.ts";

export interface Relays {
  /** What confines, by way of the relay's network where it has one. */
  enter(fence: FenceArguments): Promise<FenceArguments | { readonly error: string }>;
  /** Ends the relay to a socket, and waits for that. */
  leave(relay: RelayRequest | undefined): Promise<void>;
  close(): Promise<void>;
}

/** Starting takes a tenth of a second; a machine that is busy takes longer. */
const READY_MS = 15_000;
const MAX_WORDS = 4_096;

interface Relay {
  /** Before what is run: the program that enters, and its arguments. */
  readonly words: readonly string[];
  readonly gone: Promise<unknown>;
  end(): void;
}

export function openRelays({ mark }: { readonly mark: string }): Relays {
  const relays = new Map<string, Promise<Relay | string>>();
  const start = (request: RelayRequest, program: string): Promise<Relay | string> => {
    const starting = startRelay({ request, program, mark });
    relays.set(request.socket, starting);
    const forget = () => {
      if (relays.get(request.socket) === starting) relays.delete(request.socket);
    };
    void starting.then((relay) => (typeof relay === "string" ? forget() : relay.gone.then(forget)));
    return starting;
  };
  const endOne = async (starting: Promise<Relay | string>): Promise<void> => {
    const relay = await starting;
    if (typeof relay === "string") return;
    relay.end();
    await relay.gone;
  };
  return {
    async enter(fence) {
      const { relay: request, program, args } = fence;
      if (request === undefined) return fence;
      const relay = await (relays.get(request.socket) ?? start(request, program));
      if (typeof relay === "string") return { error: `the fence: no relay to the screen: ${relay}` };
      const [enterer = "", ...words] = relay.words;
      return { ...fence, program: enterer, args: [...words, program, ...args] };
    },
    async leave(request) {
      const starting = request === undefined ? undefined : relays.get(request.socket);
      if (starting !== undefined) await endOne(starting);
    },
    async close() {
      await Promise.all([...relays.values()].map(endOne));
    },
  };
}

/** What became of it, in words, where it did not come up. */
async function startRelay(of: {
  readonly request: RelayRequest;
  readonly program: string;
  readonly mark: string;
}): Promise<Relay | string> {
  const { request, program, mark } = of;
  const node = [process.execPath, request.entry, request.socket, String(RELAY_PORT)];
  const child = spawn(program, [...relayArguments(), "--info-fd", "3", "--", ...node], {
    cwd: "/",
    env: { ...scrubEnvironment(process.env), [MARK]: mark },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    detached: true,
  });
  const gone = new Promise<void>((resolve) => {
    // Its output is closed when it is gone with all that is in it.
    child.once("close", () => resolve());
    child.once("error", () => {
      if (child.pid === undefined) resolve();
    });
  });
  const pid = await waitUntilReady(child, gone);
  if (typeof pid === "string") {
    killChild(child);
    await gone;
    return pid;
  }
  try {
    // Held open: what is entered is this namespace, whatever gets the number of the process later.
    const files = (request.isSuperuser ? ["net"] : ["net", "user"]).map((name) =>
      openSync(`/proc/${pid}/ns/${name}`, "r"),
    );
    const [net, user] = files.map((fd) => `/proc/${process.pid}/fd/${fd}`);
    void gone.then(() => files.forEach(closeSync));
    return {
      words: enterWords({ nsenter: request.nsenter, net: net ?? "", user }),
      gone,
      end: () => killChild(child),
    };
  } catch (error) {
    killChild(child);
    await gone;
    return error instanceof Error ? error.message : String(error);
  }
}

/** Its number on this side, once it listens; else why it does not. */
function waitUntilReady(child: ChildProcess, gone: Promise<void>): Promise<number | string> {
  const [, output, errors, info] = child.stdio as readonly (Readable | null | undefined)[];
  const told = { info: "", output: "", errors: "" };
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve("it does not come up in time"), READY_MS);
    const finish = (answer: number | string) => {
      clearTimeout(timer);
      resolve(answer);
    };
    const read = (stream: Readable | null | undefined, name: keyof typeof told) =>
      stream
        ?.setEncoding("utf8")
        .on("error", () => undefined)
        .on("data", (text: string) => {
          told[name] = (told[name] + text).slice(-MAX_WORDS);
          const pid = /"child-pid":\s*(\d+)/.exec(told.info)?.[1];
          if (pid !== undefined && told.output.includes("ready")) finish(Number(pid));
        });
    read(output, "output");
    read(errors, "errors");
    read(info, "info");
    child.once("error", (error) => finish(error.message));
    void gone.then(() => finish(told.errors.trim().split("\n", 1).join("").toWellFormed() || "it ended"));
  });
}
