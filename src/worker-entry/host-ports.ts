/**
 * Owns a tool's ports in the worker: each asks the host. What the host has the worker start for that, a command or a
 * program, comes back here as a task of its own.
 * Leaves answering to worker/run-tool-ports.ts. Rule: as far as a tool can tell they are the host's own.
 */
import type { Ports } from "../contract/context.ts";
import type { Programs } from "../contract/program.ts";
import type { PastResult, PastResults } from "../contract/results.ts";
import type { Jobs, Shell } from "../contract/shell.ts";
import type { Asks, AsksNow } from "../worker/run-tool-asks.ts";
import type { Ask } from "./asks.ts";

export interface HostPortsRequest {
  readonly ask: Ask;
  readonly askNow: (port: string, input: unknown) => unknown;
  /** The ports that the host has. */
  readonly offers: readonly string[];
  readonly withholds: Ports["withholds"] | "ask";
}

type AskFor = <Name extends keyof Asks>(
  port: Name,
  input: Asks[Name]["input"],
  more?: { readonly signal?: AbortSignal; readonly onHeard?: (text: string) => void },
) => Promise<Asks[Name]["output"]>;
type AskNowFor = <Name extends keyof AsksNow>(
  port: Name,
  input: AsksNow[Name]["input"],
) => AsksNow[Name]["output"];

export function openHostPorts({ ask, askNow, offers, withholds }: HostPortsRequest): Ports {
  const later: AskFor = async (port, input, more = {}) => (await ask({ port, input, ...more })) as never;
  const now: AskNowFor = (port, input) => askNow(port, input) as never;
  const has = (name: keyof Ports) => offers.includes(name);
  return {
    seen: (file) => now("seen", { file }),
    seenFiles: () => now("seenFiles", null),
    withholds: withholds === "ask" ? (file) => now("withholds", { file }) ?? undefined : withholds,
    ...(has("keepOldBytes") && {
      keepOldBytes: (file: string, bytes: Uint8Array) => void now("keepOldBytes", { file, bytes }),
    }),
    ...(has("programs") && { programs: openPrograms(later) }),
    ...(has("shell") && { shell: openShell(later, now) }),
    ...(has("results") && { results: openResults(now) }),
    ...(has("pages") && {
      pages: { convert: ({ signal, ...page }) => later("pages.convert", page, { signal }) },
    }),
    ...(has("documents") && {
      documents: {
        readPdf: async (request) => (await import("./read-pdf.ts")).readPdf(request),
      },
    }),
    ...(has("network") && {
      network: {
        fetchText: ({ signal, mayConnect: _host, ...request }) =>
          later("network.fetchText", request, { signal }),
      },
    }),
    ...(has("browser") && {
      browser: {
        visit: ({ signal, mayConnect: _host, ...visit }) => later("browser.visit", visit, { signal }),
      },
    }),
    ...(has("commitments") && {
      commitments: {
        list: (request) => later("commitments.list", request),
        find: (id) => later("commitments.find", { id }),
      },
    }),
  };
}

function openPrograms(later: AskFor): Programs {
  return {
    findRipgrep: async () => (await later("programs.findRipgrep", null)) ?? undefined,
    async run({ signal, ...program }) {
      const end = await later("programs.run", program, { signal });
      signal.throwIfAborted();
      return end.kind === "ended" ? { ...end, output: Buffer.from(end.output) } : end;
    },
  };
}

function openShell(later: AskFor, now: AskNowFor): Shell {
  const jobs: Jobs = {
    list: () => later("jobs.list", null),
    read: async (id) => (await later("jobs.read", { id })) ?? undefined,
    wait: async ({ signal, ...wait }) => (await later("jobs.wait", wait, { signal })) ?? undefined,
    stop: async (id) => (await later("jobs.stop", { id })) ?? undefined,
    takeEnded: () => now("jobs.takeEnded", null),
  };
  return {
    run: ({ signal, onOutput, ...command }) => later("shell.run", command, { signal, onHeard: onOutput }),
    jobs,
  };
}

function openResults(now: AskNowFor): PastResults {
  return {
    find(id): PastResult | undefined {
      const found = now("results.find", { id });
      if (found === null) return undefined;
      return {
        ...found,
        get content() {
          return now("results.content", { id });
        },
        readLines: (start, end) => now("results.lines", { id, start, end }),
        readCharacters: (start, end) => now("results.characters", { id, start, end }),
      };
    },
    list: (limit) => now("results.list", { limit }),
  };
}
