/**
 * Owns what passes between host and worker for one call of a tool: the request, the result.
 * Leaves preparing calls and reading results to toolset/, running tools to worker-entry/, what a tool reaches of its
 * host to run-tool-ports.ts. Rule: a request says all that the tool needs, so that any worker can take it, also the one
 * that replaces another. Arguments and results travel as bytes, in pieces, whatever their size.
 */
import type { Place } from "../contract/access.ts";
import type { ToolOptions } from "../contract/context.ts";
import { WorkerError } from "../contract/errors.ts";
import type { Limits } from "../contract/limits.ts";
import type { Root } from "../contract/root.ts";
import type { AskServer } from "./answer-asks.ts";
import { NOT_PROTOCOL } from "./frames.ts";
import type { JobMemory } from "./job-memory.ts";
import type { WorkerKeeper } from "./keep-worker.ts";
import { pack, unpack } from "./packed.ts";
import { isSentError, receiveError, type SentError } from "./sent-error.ts";

/** What is the same for all calls of a toolset. */
export interface ToolSetup {
  readonly root: Pick<Root, "path" | "spelled" | "extraIgnore" | "allowGenerated" | "agentId">;
  /** Whether the host resolves paths by a function of its own. */
  readonly resolves: boolean;
  readonly cwd: string;
  readonly options: ToolOptions;
  readonly prefix: string;
  /** Bare names of the mounted tools, in their order. */
  readonly tools: readonly string[];
  readonly agentId: string;
  readonly sessionId: string;
  /** The ports that the host has. */
  readonly offers: readonly string[];
}

/** Rules about reading that hide paths from walks, as they were written. */
export interface WithheldRules {
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  /** Given by a person from now on: what they cover is not hidden by a rule that asks. */
  readonly granted: readonly string[];
  /** Bare names of the tool that runs, as rules may name it. */
  readonly tools: readonly string[];
  /** Files with several names, by device and inode: those names that a rule hides. */
  readonly linked: readonly (readonly [identity: string, names: readonly string[]])[];
  /** Links that rules speak of, and where they lead, relative to the root. */
  readonly led: readonly { readonly target: string; readonly name: string }[];
  /** Rules that hide every file with several names, as it could not be told which. */
  readonly open: readonly string[];
}

export interface ToolRequest {
  /** The bare name. */
  readonly tool: string;
  readonly operation: "run" | "preview";
  readonly input: unknown;
  readonly places: readonly (readonly [argument: string, place: Place])[];
  readonly limits: Limits;
  /** `ToolSetup` as JSON: equal for equal setups. */
  readonly setup: string;
  /** `ask`: the host is asked of each path. */
  readonly withheld: "nothing" | "ask" | WithheldRules;
}

/** What the worker gives. */
export type ToolAnswer =
  | { readonly kind: "gave"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: SentError };

export interface ToolCall<Given> {
  readonly request: ToolRequest;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** What answers the call's questions, each `within` what it is given. */
  readonly serve: (within: <T>(act: () => T) => T) => AskServer;
  /** Checks what the tool gave. Throws where it is not what a tool gives. */
  readonly read: (value: unknown) => Given;
}

/**
 * What the tool gave, as it was read. Rejects with what it threw, with `WorkerError` where the worker is lost or does not
 * keep to its protocol.
 */
export type RunTool = <Given>(call: ToolCall<Given>) => Promise<Given>;

/**
 * A worker that runs tools must be gone by the time at which a cancelled call is answered: 1 s. Shorter than for a
 * worker that only starts programs, which is never busy itself.
 */
const ANSWER_MS = 600;

/** What one call of a tool may give: beyond any limit of an answer, and nothing that a host cannot hold. */
const MAX_BYTES = 134_217_728;

/** Told the places of a call that a host's own `resolve` led to, where a fence is in their way. */
export type Admit = (places: readonly Place[]) => Promise<void>;

export interface ToolRunnerRequest {
  readonly keeper: () => Promise<WorkerKeeper>;
  readonly memory: Pick<JobMemory, "openTelling">;
  readonly admit?: Admit | undefined;
}

export function openToolRunner({ keeper, memory, admit }: ToolRunnerRequest): RunTool {
  return async ({ request, signal, onProgress, serve, read }) => {
    const places = request.places.map(([, place]) => place);
    if (admit !== undefined && places.some(({ contained }) => !contained)) await admit(places);
    const worker = await keeper();
    const parts = pack(request);
    const telling = memory.openTelling();
    const asks = serve(telling.within);
    const call = { signal, onProgress, parts, asks, maxBytes: MAX_BYTES, answerMs: ANSWER_MS };
    try {
      const answer = readAnswer((await worker.ask("tool.run", null, call)).parts);
      if (answer === undefined) throw new WorkerError(NOT_PROTOCOL);
      if (answer.kind === "threw") throw receiveError(answer.error);
      return read(answer.value);
    } catch (error) {
      telling.takeBack();
      throw error;
    }
  };
}

function readAnswer(parts: readonly Uint8Array[]): ToolAnswer | undefined {
  let answer: unknown;
  try {
    answer = unpack(parts);
  } catch {
    return undefined;
  }
  if (typeof answer !== "object" || answer === null) return undefined;
  const { kind, error } = answer as Readonly<Record<string, unknown>>;
  if (kind === "gave" || (kind === "threw" && isSentError(error))) return answer as ToolAnswer;
  return undefined;
}
