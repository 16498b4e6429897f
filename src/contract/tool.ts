/**
 * Owns what a tool is: a name, a schema, its declared access and one function.
 * Leaves mounting, argument repair and failure to the toolset. Rule: the exported constant of a tool's file is the tool.
 */
import type { z } from "zod";
import type { Access } from "./access.ts";
import type { MountedNames, ToolContext, ToolOptions } from "./context.ts";
import type { Limits } from "./limits.ts";
import type { ToolResult } from "./output.ts";
import type { Refusal } from "./refusal.ts";

/** Hints for hosts and people, in the words of the Model Context Protocol. */
export interface Annotations {
  /** For people: `Read a file`. */
  readonly title: string;
  /** Changes nothing. */
  readonly readOnlyHint: boolean;
  /** May lose what was there. */
  readonly destructiveHint: boolean;
  /** The same call twice leaves what one leaves. */
  readonly idempotentHint: boolean;
  /** Reaches beyond the root. */
  readonly openWorldHint: boolean;
}

/** What a description may speak of: the limits in force and the tools beside it. */
export interface DescriptionContext {
  /** The bounds in force. */
  readonly limits: Limits;
  /** The options of the toolset that tools act on. */
  readonly options: ToolOptions;
  /** How the tools beside it are called here. */
  readonly names: MountedNames;
}

/** Names of arguments, each with the other names under which it is accepted, in order of precedence. */
export type ArgumentAliases = Readonly<Record<string, readonly string[]>>;

/** A tool, complete: what `defineTool` makes, and what a toolset mounts. */
export interface Tool<
  Name extends string = string,
  Schema extends z.ZodObject = z.ZodObject,
  Details = unknown,
> {
  /** The bare name: letters, digits, `_` and `-`. */
  readonly name: Name;
  /** What it says of itself, for hosts and people. No decision rests on it but the option `readOnly`. */
  readonly annotations: Annotations;
  /** Part of the orientation floor: adapters that can defer tools never defer it. */
  readonly alwaysLoaded: boolean;
  /** Arguments, snake_case. Only strings, whole numbers, booleans, enums, arrays and objects of these. */
  readonly input: Schema;
  /** Other names under which arguments at the top level are accepted: `{ path: ["file_path"] }`. The explicit name wins. */
  readonly aliases?: ArgumentAliases;
  /** The text for the model. */
  describe(context: DescriptionContext): string;
  /** What a call will touch. Pure, and cheap: it is asked before permission. */
  access(input: z.output<Schema>): Access;
  /** Does it. Refusals are returned; what is thrown is a fault. */
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolResult<Details>>;
  /** What `run` would change, as a unified diff, by the same code; the refusal it would end in; undefined where that cannot be told. Changes nothing. */
  preview?(input: z.output<Schema>, context: ToolContext): Promise<string | Refusal | undefined>;
  /** How long after a cancellation a call of this tool may go on, to end what it started. Milliseconds; 900 where absent. */
  readonly cancelGraceMs?: number;
  /** Lets go of what is kept from call to call, unless another toolset is using it. Called when a toolset has closed. */
  release?(): Promise<void>;
}

/** A tool of any schema, as lists of tools hold it. */
export interface AnyTool {
  /** As in `Tool`. */
  readonly name: string;
  /** As in `Tool`. */
  readonly annotations: Annotations;
  /** As in `Tool`. */
  readonly alwaysLoaded: boolean;
  /** As in `Tool`. */
  readonly input: z.ZodObject;
  /** As in `Tool`. */
  readonly aliases?: ArgumentAliases;
  /** As in `Tool`. */
  describe(context: DescriptionContext): string;
  /** As in `Tool`. */
  access(input: never): Access;
  /** As in `Tool`. */
  run(input: never, context: ToolContext): Promise<ToolResult<unknown>>;
  /** As in `Tool`. */
  preview?(input: never, context: ToolContext): Promise<string | Refusal | undefined>;
  /** As in `Tool`. */
  readonly cancelGraceMs?: number;
  /** As in `Tool`. */
  release?(): Promise<void>;
}

/** The arguments of a tool as a caller gives them. */
export type ToolArguments<T> = T extends Tool<string, infer S, unknown> ? z.input<S> : never;
/** The typed details of a tool's output. */
export type ToolDetails<T> = T extends Tool<string, z.ZodObject, infer D> ? D : never;

/** No effect beyond reading arguments: the base for `access`. */
export const NO_ACCESS: Access = Object.freeze({ paths: [], runs: [], connects: [] });
