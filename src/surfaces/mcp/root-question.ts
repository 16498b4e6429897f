/**
 * Owns finding the root when none was given: the client is asked, else the working directory is taken.
 * Leaves mounting to root-switch.ts. Rule: a call waits for the answer, so none lands in a root that the client
 * has just left.
 *
 * Two revisions of the protocol ask in two ways. Up to 2025 the server sends `roots/list` once the client is
 * ready, and again on each `roots/list_changed`. From 2026 a server sends no requests: the first call is answered
 * with the question, the client repeats the call with the answer, and there is no notice of later changes.
 */
import { parse } from "node:path";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { chooseRoot } from "./client-roots.ts";
import type { RootSwitch } from "./root-switch.ts";

/** A client that does not answer within this time has no roots for us. Generous: some ask their user first. */
const ANSWER_TIMEOUT_MS = 10_000;
const ANSWER_KEY = "roots";

export interface RootQuestion {
  /** Asks now, in the manner of 2025; later calls wait for the answer. */
  ask(server: Server): void;
  /** Waits until a root is settled. Gives the question where the client must answer it first (2026). */
  settle(server: Server, context: ServerContext): Promise<InputRequiredResult | undefined>;
  /** Waits for an answer that is on its way, and gives the roots that are not reachable. */
  others(): Promise<readonly string[]>;
}

export interface RootQuestionOptions {
  readonly era: "legacy" | "modern";
  readonly cwd: string;
  readonly roots: RootSwitch;
  /** One line for the person who reads standard error. */
  readonly warn: (text: string) => void;
}

/** The question where `--root` has already answered it. */
export function createSettledQuestion(): RootQuestion {
  return { ask() {}, settle: async () => undefined, others: async () => [] };
}

export function createRootQuestion(options: RootQuestionOptions): RootQuestion {
  const { roots, warn } = options;
  let others: readonly string[] = [];
  let answer: Promise<void> | undefined;

  const take = (root: string): void => {
    try {
      roots.take(root);
    } catch (error) {
      const reason = `the root ${root} cannot be mounted: ${messageOf(error)}`;
      warn(reason);
      roots.miss(reason);
    }
  };
  const fallBack = (why: string): void => {
    // Desktop clients start their servers in the top folder: taking it would hand the whole disk over unasked.
    if (parse(options.cwd).root === options.cwd) {
      const reason = `${why}, and the working directory is ${options.cwd}: start haft mcp with --root DIR`;
      warn(reason);
      roots.miss(reason);
      return;
    }
    warn(`${why}: the root is the working directory, ${options.cwd} (--root DIR names another)`);
    take(options.cwd);
  };
  const adopt = (named: readonly { readonly uri: string }[]): void => {
    const choice = chooseRoot(named);
    others = choice.others;
    if (choice.first === undefined) fallBack("the client names no file: root");
    else take(choice.first);
    if (others.length > 0) warn(`further roots of the client are not reachable: ${others.join(", ")}`);
  };
  const request = async (server: Server): Promise<void> => {
    if (server.getClientCapabilities()?.roots === undefined) {
      fallBack("the client offers no roots");
      return;
    }
    try {
      adopt((await server.listRoots(undefined, { timeout: ANSWER_TIMEOUT_MS })).roots);
    } catch (error) {
      fallBack(`the client did not name its roots (${messageOf(error)})`);
    }
  };
  const ask = (server: Server): void => {
    const before = answer ?? Promise.resolve();
    answer = before.then(() => request(server));
  };

  return {
    ask,
    async settle(server, context) {
      if (options.era === "legacy") {
        if (answer === undefined) ask(server);
        await answer;
        return undefined;
      }
      if (answer !== undefined) return undefined;
      const responses = context.mcpReq.inputResponses;
      const view = inputResponse(responses, ANSWER_KEY);
      if (view.kind !== "roots" && responses === undefined && offersRoots(context)) {
        return inputRequired({ inputRequests: { [ANSWER_KEY]: inputRequired.listRoots() } });
      }
      answer = Promise.resolve();
      if (view.kind === "roots") adopt(view.roots);
      else fallBack("the client offers no roots");
      return undefined;
    },
    async others() {
      await answer;
      return others;
    },
  };
}

function offersRoots(context: ServerContext): boolean {
  const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] as { roots?: unknown } | undefined;
  return capabilities?.roots !== undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
