/**
 * Owns what a tool of a host's own looks like to its author, and making a tool of it as haft's own are.
 * Leaves checking it to define-tool.ts, its files to own-files.ts. Rule: what is left out is taken for the most
 * dangerous, and what it gives back has the shape of a result, or the call is a fault.
 */
import type { z } from "zod";
import type { Access, PathUse, Place } from "../contract/access.ts";
import type { MountedNames, ToolContext } from "../contract/context.ts";
import type { Limits } from "../contract/limits.ts";
import type { ToolResult } from "../contract/output.ts";
import { isRefusal, type Refusal } from "../contract/refusal.ts";
import type { Annotations, ArgumentAliases, DescriptionContext, Tool } from "../contract/tool.ts";
import { findMisfit } from "./isolate-result.ts";
import { type OwnFiles, openOwnFiles } from "./own-files.ts";

/** A path argument of a call of an own tool. */
export interface OwnPathUse extends Pick<PathUse, "argument" | "path" | "effect"> {
  /** `"follow"` (the default) takes what a link leads to, `"itself"` the link. */
  readonly link?: PathUse["link"];
  /** The call makes no sense unless the path exists: its name is then found in other spellings too. Default false. */
  readonly mustExist?: boolean;
}

/** What a call of an own tool will touch. What is left out is not touched. */
export interface OwnAccess {
  /** Paths below the root, each with the argument that names it. Default none. */
  readonly paths?: readonly OwnPathUse[];
  /** Shell commands, whole, as rules `runs(…)` speak of them. Default none. */
  readonly runs?: readonly string[];
  /** `host` or `host:port`, as rules `connects(…)` speak of them. Default none. */
  readonly connects?: readonly string[];
}

/** What an own tool is given besides its arguments. */
export interface OwnContext {
  /** The root: absolute, links resolved. Prefer `files` to paths made of it, which nothing checks. */
  readonly root: string;
  /** Aborted when the host cancels this call. Hand it on; a call that has not ended within `cancelGraceMs` is not waited for. */
  readonly signal: AbortSignal;
  /** The files that `access` declares, with haft's own containment, guards, locks and atomic writes. */
  readonly files: OwnFiles;
  /** The bounds in force, for a tool that wants to keep to them. */
  readonly limits: Limits;
  /** How the tools beside it are called: `names.suggest("read", { path })` writes a call that a refusal can advise, or gives undefined. */
  readonly names: MountedNames;
  /** The agent whose call it is; `"main"` where nobody said. */
  readonly agentId: string;
  /** The session whose call it is; empty outside of a session. */
  readonly sessionId: string;
  /** The resolved place of a path that `access` declares under this argument. Throws for any other. */
  place(argument: string): Place;
  /** Tells the host, and an MCP client that asked for it, how far the call is. */
  progress(text: string): void;
}

/** A tool of a host's own, as `defineTool` takes it. */
export interface OwnTool<
  Name extends string = string,
  Schema extends z.ZodObject = z.ZodObject,
  Details = unknown,
> {
  /** 1 to 64 letters, digits, `_` and `-`; none of haft's own names, and none of the effects of rules. */
  readonly name: Name;
  /** What the model reads. Required where there is no `describe`; default none. */
  readonly description?: string;
  /** The same, made from the limits in force and the names of the tools beside it. Default: the description. */
  describe?(context: DescriptionContext): string;
  /** Default: the title is the name; changes something, may lose what was there, is not idempotent, reaches beyond the root. */
  readonly annotations?: Partial<Annotations>;
  /** Never deferred by adapters that can defer tools. Default false. */
  readonly alwaysLoaded?: boolean;
  /** Arguments, snake_case, each with `.describe()`. Strings, numbers, booleans, enums, arrays and objects of these. */
  readonly input: Schema;
  /** Other names under which arguments are accepted: `{ path: ["file_path"] }`. Default none. */
  readonly aliases?: ArgumentAliases;
  /** What a call will touch; permission, the schedule and `explain` go by it. Default: a call may touch anything; it runs alone, and a rule about any effect asks about it. */
  access?(input: z.output<Schema>): OwnAccess;
  /** Does it. A refusal is returned, as `refuse` makes it; what is thrown is a fault. */
  run(input: z.output<Schema>, context: OwnContext): Promise<ToolResult<Details>>;
  /** What `run` would change, as a diff, for `explain` and for who is asked. Changes nothing. Default: that is not told. */
  preview?(input: z.output<Schema>, context: OwnContext): Promise<string | Refusal | undefined>;
  /** How long a cancelled call may go on, to end what it started. Milliseconds; 900 where absent. */
  readonly cancelGraceMs?: number;
  /** Lets go of what is kept from call to call. Called when a toolset that has it has closed. Default: nothing is kept. */
  release?(): Promise<void>;
}

/** What a tool says of itself where its author says nothing. */
const WORST = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
const UNDECLARED: Access = Object.freeze({ paths: [], runs: [], connects: [], isUndeclared: true });

/** The same tool with every part, as the toolset has it. */
export function completeTool<Name extends string, Schema extends z.ZodObject, Details>(
  own: OwnTool<Name, Schema, Details>,
): Tool<Name, Schema, Details> {
  const { name, description = "", annotations, alwaysLoaded, input, aliases, cancelGraceMs } = own;
  const access = (given: z.output<Schema>) => completeAccess(own, given);
  const preview = own.preview?.bind(own);
  const release = own.release?.bind(own);
  return {
    name,
    annotations: Object.freeze({ title: name, ...WORST, ...annotations }),
    alwaysLoaded: alwaysLoaded ?? false,
    input,
    ...(aliases === undefined ? {} : { aliases }),
    describe: (context) => own.describe?.(context) ?? description,
    access,
    async run(given, context) {
      const opened = openContext(access(given), context);
      const result = await own.run(given, opened.context);
      const misfit = findMisfit(result);
      if (misfit !== undefined) throw new TypeError(`the tool gave no result: expected ${misfit}`);
      return tellChanges(result, opened.changed);
    },
    ...(preview === undefined
      ? {}
      : { preview: async (given, context) => preview(given, openContext(access(given), context).context) }),
    ...(cancelGraceMs === undefined ? {} : { cancelGraceMs }),
    ...(release === undefined ? {} : { release }),
  };
}

function openContext(
  access: Access,
  context: ToolContext,
): { context: OwnContext; changed: ReadonlySet<string> } {
  const { root, signal, limits, names, agentId, sessionId, place, progress } = context;
  const { files, changed } = openOwnFiles(access, context);
  return {
    context: { root: root.path, signal, files, limits, names, agentId, sessionId, place, progress },
    changed,
  };
}

/** What was written stays written, whatever the tool says of it. */
function tellChanges<Details>(
  result: ToolResult<Details>,
  changed: ReadonlySet<string>,
): ToolResult<Details> {
  if (changed.size === 0) return result;
  const done = `${[...changed].join(", ")} was written`;
  if (isRefusal(result)) return { ...result, facts: { ...result.facts, done } } as Refusal;
  return { ...result, changed: [...new Set([...changed, ...(result.changed ?? [])])] };
}

function completeAccess<Schema extends z.ZodObject>(
  own: Pick<OwnTool<string, Schema>, "name" | "access" | "annotations">,
  input: z.output<Schema>,
): Access {
  const given: unknown = own.access?.(input);
  if (own.access === undefined) return UNDECLARED;
  if (typeof given !== "object" || given === null)
    throw new TypeError(`the access of ${own.name} gave no object`);
  const { paths = [], runs = [], connects = [] } = given as OwnAccess;
  if (![paths, runs, connects].every(Array.isArray) || ![...runs, ...connects].every(isText))
    throw new TypeError(`the access of ${own.name} has paths, runs and connects, each an array`);
  const uses = paths.map((use) => completeUse(own.name, use));
  const changes = runs.length > 0 || uses.some(({ effect }) => effect === "writes");
  if (changes && own.annotations?.readOnlyHint === true)
    throw new TypeError(`${own.name} says that it changes nothing, and declares a change`);
  return { paths: uses, runs, connects };
}

const EFFECTS: readonly unknown[] = ["reads", "writes", "enters"];

function completeUse(tool: string, use: OwnPathUse): PathUse {
  const { argument, path, effect, link = "follow", mustExist = false } = (use ?? {}) as OwnPathUse;
  if (!isText(argument) || !isText(path) || !EFFECTS.includes(effect))
    throw new TypeError(`a path in the access of ${tool} has argument, path and effect`);
  return { argument, path, effect, link: link === "itself" ? "itself" : "follow", mustExist };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
