/**
 * Owns the words of Vercel's AI SDK, versions 6 and 7, for what haft has: definitions as a record of tools that run,
 * outputs as model output, the session's asks as the SDK's approvals.
 * Leaves the loop to the SDK, approvals to ai-approvals.ts. Rule: the text is the output's own, and arguments reach
 * the gate as the model wrote them. The SDK is needed for types alone.
 */
import type { Tool, ToolCallRepairFunction, ToolSet } from "ai";
import type { Image } from "../../contract/output.ts";
import type { RefusalCode } from "../../contract/refusal.ts";
import type { ToolDefinition } from "../../toolset/toolset.ts";
import type { Approvals, Explaining } from "./ai-approvals.ts";
import { checkChoices, checkHost } from "./check-given.ts";
import { keepOrder, type ToolHost } from "./tool-host.ts";

export { type Approvals, openApprovals } from "./ai-approvals.ts";

/** What a tool gives. The SDK keeps it, streams it to a user interface, and asks the tool what the model is told of it. */
export interface AiOutput {
  /** The text for the model. */
  readonly content: string;
  /** It was refused or failed. */
  readonly isError: boolean;
  /** Beside the text. */
  readonly images: readonly Image[];
  /** Why it was refused. */
  readonly code?: RefusalCode;
}

/** One tool of the record. */
export type AiTool = Tool<unknown, AiOutput>;
/** By this a tool of ours is told from a host's own in the same record. */
const VENDOR = "haft";

type ModelOutput = Awaited<ReturnType<NonNullable<AiTool["toModelOutput"]>>>;

/** How the tools are given. */
export interface AiToolsOptions {
  /** Lets the SDK ask what the session would ask: the approvals whose `approve` the session was opened with. Default: it does not ask. */
  readonly approvals?: Approvals;
  /** Whether the model is shown images. False for providers that turn what is no text into JSON. Default true. */
  readonly images?: boolean;
}

/**
 * What goes into `tools` of `generateText`, `streamText` or an agent. Throws a `TypeError` where it is given no toolset or
 * session, or approvals for what asks nobody.
 */
export function toAiTools(host: ToolHost & Partial<Explaining>, options: AiToolsOptions = {}): ToolSet {
  const by = "toAiTools";
  checkHost({ by, value: host });
  checkChoices({ by, value: options, choices: { images: [true, false] } });
  const { approvals } = options;
  const making: Making = {
    ...options,
    call: keepOrder(host),
    ask: approvals && toAsking(host, approvals),
    version: 6,
  };
  return Object.fromEntries(
    host.definitions().map((definition) => [definition.name, toAiTool(definition, making)]),
  );
}

interface Making extends AiToolsOptions {
  readonly call: ToolHost["call"];
  readonly ask: ReturnType<typeof toAsking> | undefined;
  /** Set by the first call that runs: version 7 has other words for an image, and warns of the old ones. */
  version: 6 | 7;
}

function toAiTool(
  { name, description, inputSchema, annotations: { title } }: ToolDefinition,
  making: Making,
): AiTool {
  const { call, approvals, ask } = making;
  return {
    title,
    description,
    inputSchema: takeAnything(inputSchema),
    async execute(args, options) {
      const { toolCallId: id, abortSignal } = options;
      if ("context" in options) making.version = 7;
      const make = () => call(name, args, { id, ...(abortSignal && { signal: abortSignal }) });
      const output = await (approvals === undefined ? make() : approvals.run(id, make));
      const { content, isError } = output;
      return {
        content,
        isError,
        images: output.images,
        ...(output.isError ? { code: output.refusal.code } : {}),
      };
    },
    ...(ask && {
      needsApproval: (args: unknown, { toolCallId: id }: { readonly toolCallId: string }) =>
        ask({ id, name, args }),
    }),
    toModelOutput: ({ output }) => toModelOutput(output, making),
  };
}

function toAsking(host: Partial<Explaining>, approvals: Approvals) {
  const { explain } = host;
  // A toolset asks nobody. To take the option in silence would look as if it did.
  if (explain === undefined) throw new TypeError("approvals need a session: a toolset asks nobody");
  return (call: Parameters<Approvals["needsApproval"]>[1]) => approvals.needsApproval({ explain }, call);
}

/**
 * The definition's schema for the model, and no check of its own: the SDK would put its own error in place of a
 * repair or of a refusal that says what would work. A Standard Schema is what both versions take without their code.
 */
function takeAnything(inputSchema: ToolDefinition["inputSchema"]): AiTool["inputSchema"] {
  const jsonSchema = {
    input: () => structuredClone(inputSchema),
    output: () => structuredClone(inputSchema),
  };
  return {
    "~standard": { version: 1, vendor: VENDOR, validate: (value: unknown) => ({ value }), jsonSchema },
  } as unknown as AiTool["inputSchema"];
}

function toModelOutput({ content, isError, images: given }: AiOutput, making: Making): ModelOutput {
  const { images = true, version } = making;
  if (isError) return { type: "error-text", value: content };
  if (given.length === 0 || !images) return { type: "text", value: content };
  const shown = given.map(({ mediaType, base64: data }) =>
    version === 6
      ? { type: "image-data", data, mediaType }
      : { type: "file", data: { type: "data", data }, mediaType },
  );
  // The types are those of the version that is installed; these are the words of both.
  return { type: "content", value: [{ type: "text", text: content }, ...shown] } as ModelOutput;
}

/**
 * For the SDK's option `experimental_repairToolCall` (`repairToolCall` in version 7): hands arguments that are no
 * JSON on as they came, so that they are repaired, or refused with what would work. Leaves other tools alone.
 */
export const repairToolCall: ToolCallRepairFunction<ToolSet> = async ({ toolCall, tools }) => {
  const { toolName, input } = toolCall;
  if (!Object.hasOwn(tools, toolName) || !isOurs(tools[toolName]?.inputSchema)) return null;
  // An object, for a conversation holds nothing else. The gate knows this envelope.
  return { ...toolCall, input: JSON.stringify({ arguments: input }) };
};

function isOurs(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null || !("~standard" in schema)) return false;
  return (schema["~standard"] as { readonly vendor?: unknown }).vendor === VENDOR;
}
