/**
 * Owns what the server says of itself in its first answer. Leaves each tool to list-tools.ts.
 * Rule: loads nothing of the SDK, so that the answer can be given before it is there.
 */
import type { Implementation, ServerCapabilities } from "@modelcontextprotocol/server";
import { SERVER_ICONS } from "./icons.ts";
import { INSTRUCTIONS } from "./instructions.ts";

export interface ServerDescription {
  readonly serverInfo: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string;
}

export function describeServer(version: string): ServerDescription {
  return {
    serverInfo: { name: "haft", title: "haft", version, icons: SERVER_ICONS },
    capabilities: { tools: { listChanged: true }, logging: {} },
    instructions: INSTRUCTIONS,
  };
}
