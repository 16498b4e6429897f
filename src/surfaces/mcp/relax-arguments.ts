/**
 * Owns arguments that come as text or as null: the SDK refuses them by its own schema, with words that a model cannot
 * use. They go to the argument gate instead, which reads the text and takes null for none.
 */
import { isRecord } from "../../text/is-record.ts";

/** Changes the message in place. */
export function relaxArguments(message: unknown): void {
  if (Array.isArray(message)) for (const one of message) relaxArguments(one);
  if (!isRecord(message) || message.method !== "tools/call" || !isRecord(message.params)) return;
  const { params } = message;
  if (params.arguments === null) delete params.arguments;
  else if (typeof params.arguments === "string") params.arguments = { arguments: params.arguments };
}
