/**
 * Owns what an adapter needs of a toolset or a session, and making the calls of one answer of a model.
 * Leaves every decision and every word to them. Rule: each call gets its output, in the order of the calls; what
 * conflicts is made in that order, also where no session schedules it.
 */
import type { Call, CallOptions } from "../../contract/call.ts";
import type { ToolOutput } from "../../contract/output.ts";
import type { ToolDefinition } from "../../toolset/toolset.ts";

/** A `Toolset` or a `Session`: what has tools and makes their calls. */
export interface ToolHost {
  /** As of a toolset. */
  definitions(): ToolDefinition[];
  /** As of a toolset. */
  call(name: string, args: unknown, options?: CallOptions): Promise<ToolOutput>;
  /** A session has it: it orders what conflicts, and no more than that. */
  batch?(calls: readonly Call[], options?: Omit<CallOptions, "id">): Promise<readonly ToolOutput[]>;
}

/** What holds for all calls of one answer. */
export interface AnswerOptions extends Pick<CallOptions, "signal" | "onProgress"> {
  /** Tools of the host's own: their calls are left to it. All other calls are answered, also those of no known tool. Default none. */
  readonly leave?: readonly string[];
}

/** A call as a model made it, with what its SDK needs to find it again. */
export interface ModelCall extends Call {
  readonly id: string;
}

export interface Answered<C extends ModelCall> {
  readonly call: C;
  readonly output: ToolOutput;
}

/** Makes the calls of one answer, all at once where nothing speaks against it. */
export async function makeCalls<C extends ModelCall>(
  host: ToolHost,
  asked: readonly C[],
  { leave = [], ...options }: AnswerOptions = {},
): Promise<Answered<C>[]> {
  const calls = asked.filter(({ name }) => !leave.includes(name));
  const sent = calls.map(({ id, name, args }): ModelCall => ({ id, name, args }));
  const make = keepOrder(host);
  const outputs = await (host.batch?.(sent, options) ??
    Promise.all(sent.map(({ id, name, args }) => make(name, args, { ...options, id }))));
  return calls.flatMap((call, index) => {
    const output = outputs[index];
    return output === undefined ? [] : [{ call, output }];
  });
}

/**
 * The `call` of a host, for SDKs that make the calls of one answer one by one and at once. A session orders them
 * itself; a toolset has no schedule, so a call that changes something waits for those before it, and those behind it wait.
 */
export function keepOrder(host: ToolHost): ToolHost["call"] {
  if (host.batch !== undefined) return (name, args, options) => host.call(name, args, options);
  const reading = new Set(
    host
      .definitions()
      .filter(({ annotations }) => annotations.readOnlyHint)
      .map(({ name }) => name),
  );
  let all: Promise<unknown> = Promise.resolve();
  let lastChange = all;
  return (name, args, options) => {
    const isReading = reading.has(name);
    const output = (isReading ? lastChange : all).then(() => host.call(name, args, options));
    all = Promise.allSettled([all, output]);
    if (!isReading) lastChange = all;
    return output;
  };
}
