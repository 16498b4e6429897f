/**
 * Owns what a client that asked for log messages is told of each call. Leaves results to translate.ts.
 * Rule: nothing is sent to a client that named no level, and nothing of what a call read or wrote.
 *
 * Up to 2025 the level is set for the connection, from 2026 on it comes with each request; the SDK reads the latter.
 */
import type { LoggingLevel, Server, ServerContext } from "@modelcontextprotocol/server";
import type { CallResult } from "../../session/session.ts";

/** From the least to the most. */
const LEVELS: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

export type CallLog = (context: ServerContext, name: string, output: CallResult) => void;

export function createCallLog(server: Server, era: "legacy" | "modern"): CallLog {
  let wanted: LoggingLevel | undefined;
  server.setRequestHandler("logging/setLevel", async ({ params }) => {
    wanted = params.level;
    return {};
  });
  return (context, name, output) => {
    const level = levelOf(output);
    const isWanted = wanted !== undefined && LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
    if (era === "legacy" && !isWanted) return;
    const { id, isError, decision } = output;
    const code = isError ? { code: output.refusal.code } : {};
    // Told and forgotten: a client that is gone must not turn a call into a failure.
    context.mcpReq.log(level, { id, tool: name, isError, ...code, decision }, "haft").catch(() => {});
  };
}

function levelOf(output: CallResult): LoggingLevel {
  if (!output.isError) return "debug";
  return output.refusal.code === "fault" ? "error" : "info";
}
