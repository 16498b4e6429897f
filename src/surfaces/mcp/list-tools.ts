/**
 * Owns the answer to `tools/list`: the definitions as tools, with what only this connection can know of them.
 * Leaves each definition to translate.ts. Rule: loads nothing of the SDK, as describe-server.ts.
 */
import type { Tool } from "@modelcontextprotocol/server";
import type { ToolDefinition } from "../../toolset/toolset.ts";
import { toProtocolTool } from "./translate.ts";

export interface ToolList {
  readonly definitions: readonly ToolDefinition[];
  /** Names of tools that a person must be asked about, and how to allow each where they cannot be. */
  readonly asking: ReadonlyMap<string, string>;
  /** Whether the client can ask its person. */
  readonly answerable: boolean;
  /** The line that names the roots which are not mounted. */
  readonly announced: string | undefined;
}

export function listTools({ definitions, asking, answerable, announced }: ToolList): { tools: Tool[] } {
  const [first, ...rest] = definitions.map((definition) =>
    toProtocolTool(definition, answerable ? undefined : asking.get(definition.name)),
  );
  if (first === undefined) return { tools: [] };
  const description = announced === undefined ? first.description : `${first.description}\n\n${announced}`;
  return { tools: [{ ...first, description }, ...rest] };
}
