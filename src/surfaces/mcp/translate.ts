/**
 * Owns the words of the protocol for what haft has: definitions as tools, outputs as results.
 * Leaves the text to the toolset: a model reads the same through every surface.
 * Rule: translates, never decides, never shortens.
 */
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { ToolOutput } from "../../contract/output.ts";
import type { Refusal } from "../../contract/refusal.ts";
import type { CallResult } from "../../session/session.ts";
import type { ToolDefinition } from "../../toolset/toolset.ts";
import { iconsOf } from "./icons.ts";

/** The key under which a refusal's code and facts travel for hosts; models read the text. */
const REFUSAL_META_KEY = "haft/refusal";
/** The key under which a call's typed details travel for hosts. */
const DETAILS_META_KEY = "haft/details";
/** The key under which a call's id, what was decided about it and what of its result is left out travel. */
const CALL_META_KEY = "haft/call";
/** Characters of details: what is larger repeats the text, as a long diff does. */
const DETAILS_MAX_CHARS = 65_536;

/** `condition` is what the person must have done before the tool can be used. */
export function toProtocolTool(definition: ToolDefinition, condition?: string): Tool {
  const { title, ...hints } = definition.annotations;
  return {
    name: definition.name,
    title,
    description:
      condition === undefined ? definition.description : `${definition.description}\n\n${condition}`,
    inputSchema: definition.inputSchema as unknown as Tool["inputSchema"],
    annotations: { title, ...hints },
    ...iconsOf(title),
  };
}

/**
 * Text first, then images. `structuredContent` is left out on purpose: some clients show it to the model in
 * place of the text, which would take the line numbers and the next calls away.
 */
export function toProtocolResult(output: ToolOutput | CallResult): CallToolResult {
  const content: CallToolResult["content"] = [{ type: "text", text: output.content }];
  for (const image of output.images) {
    content.push({ type: "image", data: image.base64, mimeType: image.mediaType });
  }
  const _meta = {
    ...("id" in output ? { [CALL_META_KEY]: describeCall(output) } : {}),
    ...describeDetails(output.details),
  };
  if (!output.isError) return { content, _meta };
  return { content, isError: true, _meta: { ..._meta, [REFUSAL_META_KEY]: describeRefusal(output.refusal) } };
}

function describeCall({ id, decision, window }: CallResult): Record<string, unknown> {
  return { id, decision, ...(window === undefined ? {} : { window }) };
}

function describeDetails(details: unknown): Record<string, unknown> {
  if (details === undefined) return {};
  try {
    return JSON.stringify(details).length > DETAILS_MAX_CHARS ? {} : { [DETAILS_META_KEY]: details };
  } catch {
    // An own tool's details may be anything.
    return {};
  }
}

/** The cause of a fault stays here: it may be any object, and stack traces are not for the other side. */
function describeRefusal(refusal: Refusal): Record<string, unknown> {
  if (refusal.code !== "fault") return { code: refusal.code, facts: refusal.facts };
  return { code: "fault", facts: { tool: refusal.facts.tool, message: refusal.facts.message } };
}

/** A result for a call that reached no toolset. */
export function toProtocolError(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
