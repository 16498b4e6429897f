/**
 * Owns the host's answers to what a tool in the worker asks through its ports.
 * Leaves the ports to whoever gave them, asking to worker-entry/. Rule: a port that the toolset has not is not reached
 * from the worker either; the host's functions, and the question what a call may connect to, never leave it.
 */
import type { Ports, ToolContext } from "../contract/context.ts";
import type { PastResult } from "../contract/results.ts";
import { findWriter } from "../root/temporary-name.ts";
import type { AskContext, AskServer } from "./answer-asks.ts";
import { type Asks, type AsksNow, WAYS } from "./run-tool-asks.ts";

type Serve = {
  readonly [Name in keyof Asks]: (
    input: Asks[Name]["input"],
    context: AskContext,
  ) => Promise<Asks[Name]["output"]>;
};
type ServeNow = {
  readonly [Name in keyof AsksNow]: (input: AsksNow[Name]["input"]) => AsksNow[Name]["output"];
};

/** The ports that a toolset has, by name. */
export function listOffers(ports: Ports): string[] {
  return Object.keys(WAYS).filter((name) => ports[name as keyof Ports] !== undefined);
}

/** `within` runs what it is given as part of the call: by that a session's ports know which call it is. */
export function servePorts(
  context: Pick<ToolContext, "ports" | "mayConnect">,
  within: <T>(act: () => T) => T,
): AskServer {
  const asked = makeAsked(context);
  const now = makeNow(context.ports);
  return {
    async ask(port, input, call) {
      const serve = find(asked, port) as (input: unknown, call: AskContext) => Promise<unknown>;
      return within(() => serve(input, call));
    },
    askNow(port, input) {
      const serve = find(now, port) as (input: unknown) => unknown;
      return within(() => serve(input));
    },
  };
}

function find<T extends object>(table: T, port: string): T[keyof T] {
  if (!Object.hasOwn(table, port))
    throw new Error(`a tool asked for ${JSON.stringify(port)}, which is no port`);
  return table[port as keyof T];
}

function need<T>(port: T | undefined, name: string): T {
  if (port === undefined) throw new Error(`this toolset has no ${name}`);
  return port;
}

function makeAsked({ ports, mayConnect }: Pick<ToolContext, "ports" | "mayConnect">): Serve {
  const shell = () => need(ports.shell, "shell");
  const programs = () => need(ports.programs, "programs");
  const commitments = () => need(ports.commitments, "commitments");
  return {
    "programs.findRipgrep": async () => (await programs().findRipgrep()) ?? null,
    "programs.run": async (input, { signal }) => programs().run({ ...input, signal }),
    "shell.run": async (input, { signal, heard }) => shell().run({ ...input, signal, onOutput: heard }),
    "jobs.list": async () => shell().jobs.list(),
    "jobs.read": async ({ id }) => (await shell().jobs.read(id)) ?? null,
    "jobs.wait": async (input, { signal }) => (await shell().jobs.wait({ ...input, signal })) ?? null,
    "jobs.stop": async ({ id }) => (await shell().jobs.stop(id)) ?? null,
    "pages.convert": async (input, { signal }) => need(ports.pages, "pages").convert({ ...input, signal }),
    "network.fetchText": async (input, { signal }) =>
      need(ports.network, "network").fetchText({ ...input, mayConnect, signal }),
    "browser.visit": async (input, { signal }) =>
      need(ports.browser, "browser").visit({ ...input, mayConnect, signal }),
    "commitments.list": async (input) => commitments().list(input),
    "commitments.find": async ({ id }) => commitments().find(id),
  };
}

function makeNow(ports: Ports): ServeNow {
  const results = () => need(ports.results, "results");
  const read = (id: string): PastResult => need(results().find(id), "such result");
  return {
    seen: ({ file }) => ports.seen(file),
    seenFiles: () => ports.seenFiles(),
    withholds: ({ file }) => ports.withholds(file) ?? null,
    keepOldBytes({ file, bytes }) {
      ports.keepOldBytes?.(file, bytes);
      return null;
    },
    findWriter: ({ name }) => findWriter(name),
    "jobs.takeEnded": () => ports.shell?.jobs.takeEnded() ?? [],
    "results.find"({ id }) {
      const result = results().find(id);
      if (result === undefined) return null;
      const { id: full, tool, isError, characters, lines } = result;
      return { id: full, tool, isError, characters, lines };
    },
    "results.list": ({ limit }) => results().list(limit),
    "results.content": ({ id }) => read(id).content,
    "results.lines": ({ id, start, end }) => read(id).readLines(start, end),
    "results.characters": ({ id, start, end }) => read(id).readCharacters(start, end),
  };
}
