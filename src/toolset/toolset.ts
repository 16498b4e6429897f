/**
 * Owns the type of a mounted toolset: what a host holds in its hand.
 * Leaves making one to mount-tools.ts. Rule: arguments and details are inferred from the tool by its mounted name,
 * prefix included; a name that is not known to the compiler takes anything and is answered with a refusal.
 */
import type { Call, CallOptions } from "../contract/call.ts";
import type { ToolOutput } from "../contract/output.ts";
import type { Annotations, AnyTool, ToolArguments, ToolDetails } from "../contract/tool.ts";
import type { ObjectSchema } from "./input-schema.ts";

/** One tool as a model provider wants it. */
export interface ToolDefinition {
  /** The mounted name. */
  readonly name: string;
  /** For the model. */
  readonly description: string;
  /** JSON Schema of the arguments, plain: no `anyOf`, no `$ref`. */
  readonly inputSchema: ObjectSchema;
  /** Hints, in the words of MCP. */
  readonly annotations: Annotations;
  /** Adapters that can defer tools never defer it. */
  readonly alwaysLoaded: boolean;
}

/** The tool that stands behind a mounted name; `never` for a name that the compiler does not know. */
type ToolNamed<T extends AnyTool, Prefix extends string, Name extends string> = string extends Prefix
  ? never
  : Name extends `${Prefix}${infer Bare}`
    ? Extract<T, { readonly name: Bare }>
    : never;

/** What a call of this name takes: the arguments of its schema, or JSON text. */
export type CallArguments<T extends AnyTool, Prefix extends string, Name extends string> = [
  ToolNamed<T, Prefix, Name>,
] extends [never]
  ? unknown
  : ToolArguments<ToolNamed<T, Prefix, Name>> | string;

/** What a call of this name tells the host. */
export type CallDetails<T extends AnyTool, Prefix extends string, Name extends string> = [
  ToolNamed<T, Prefix, Name>,
] extends [never]
  ? unknown
  : ToolDetails<ToolNamed<T, Prefix, Name>>;

/** The prefix that options give, as the compiler knows it. */
export type PrefixOf<Options, Default extends string> = "prefix" extends keyof Options
  ? Options extends { readonly prefix: infer Prefix }
    ? Prefix extends string
      ? Prefix
      : Default
    : string
  : Default;

/** The tools of the host's own among those that options mount. */
export type OwnToolsOf<Options> = Options extends { readonly tools: readonly (infer One)[] }
  ? Extract<One, AnyTool>
  : never;

/** The mounted names that the compiler knows, for completion. */
export type MountedName<T extends AnyTool, Prefix extends string> = `${Prefix}${T["name"]}`;

/** A host's dispatcher of tool calls that answers with text. */
export type TextDispatch<C extends Call = Call, O extends CallOptions = CallOptions> = (
  call: C,
  options?: O,
) => Promise<string>;

/** Tools over one root, for one agent session: it remembers what it has shown. */
export interface Toolset<T extends AnyTool = AnyTool, Prefix extends string = string>
  extends AsyncDisposable {
  /** The root, its links resolved. */
  readonly root: string;
  /** What to hand to a model provider, in catalogue order. Made anew each time. */
  definitions(): ToolDefinition[];
  /** Makes one call by its mounted name. Never throws and never rejects. */
  call<Name extends MountedName<T, Prefix> | (string & {})>(
    name: Name,
    args: CallArguments<T, Prefix, Name>,
    options?: CallOptions,
  ): Promise<ToolOutput<CallDetails<T, Prefix, Name>>>;
  /** As `call`, in text alone: a refusal begins `ERROR: `, and no success does. */
  dispatch(name: string, args: unknown, options?: CallOptions): Promise<string>;
  /** As `call`, by bare name; rejects with a `RefusalError` where the call is refused. */
  run(bare: T["name"] | (string & {}), args: unknown, options?: CallOptions): Promise<string>;
  /** A dispatcher that answers the calls of this toolset and passes all others on untouched. */
  wrap<C extends Call, O extends CallOptions>(inner: TextDispatch<C, O>): TextDispatch<C, O>;
  /** Mounted names, in catalogue order. */
  names(): string[];
  /** The mounted name of a bare one, where it is mounted. */
  name(bare: string): string | undefined;
  /** The bare name of a mounted one. */
  bare(name: string): string | undefined;
  /** Whether a name is one of this toolset. */
  handles(name: string): boolean;
  /** Cancels what runs, waits for it, and refuses every later call. May be called more than once. */
  close(): Promise<void>;
}
