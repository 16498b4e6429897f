/**
 * Owns asking the client for its roots where the person named none.
 * Leaves what follows from the answer to adopt-root.ts. Rule: a call waits for an answer that is on its way, so that
 * none lands in a root which the client has just left.
 *
 * Two revisions of the protocol ask in two ways. Up to 2025 the server sends `roots/list` once the client is
 * ready, and again on each `roots/list_changed`. From 2026 a server sends no requests: the first call is answered
 * with the question, the client repeats the call with the answer, and there is no notice of later changes.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { type AdoptOptions, adoptRoots, fallBack, messageOf } from "./adopt-root.ts";
import { offersRoots } from "./client-capabilities.ts";

/** A client that does not answer within this time has no roots for us. Generous: some ask their user first. */
const ANSWER_TIMEOUT_MS = 10_000;
const ANSWER_KEY = "roots";
/** Looser than the SDK's own schema, which takes no answer at all where one root of several is no file. */
const ROOTS = z.object({ roots: z.array(z.object({ uri: z.string() })) });

export interface RootQuestion {
  /** The client is ready, or has said that its roots changed (2025). Later calls wait for the answer. */
  ask(server: Server): void;
  /** Waits until a root is settled. Gives the question where the client must answer it first (2026). */
  settle(server: Server, context: ServerContext): Promise<InputRequiredResult | undefined>;
  /** Waits for an answer that is on its way, and gives the roots that cannot be reached. */
  others(): Promise<readonly string[]>;
}

/** The question where `--root` has already answered it. */
export function createSettledQuestion(): RootQuestion {
  return { ask() {}, settle: async () => undefined, others: async () => [] };
}

/** The question as a server asked it up to 2025: with a request of its own. */
export function createPushedQuestion(options: AdoptOptions): RootQuestion {
  let others: readonly string[] = [];
  let answer: Promise<void> | undefined;
  const request = async (server: Server): Promise<void> => {
    if (!offersRoots(server.getClientCapabilities())) {
      await fallBack("the client offers no roots", options);
      return;
    }
    try {
      const { roots } = await server.request({ method: "roots/list" }, ROOTS, { timeout: ANSWER_TIMEOUT_MS });
      others = await adoptRoots(roots, options);
    } catch (error) {
      await fallBack(`the client did not name its roots (${messageOf(error)})`, options);
    }
  };
  const ask = (server: Server): void => {
    const before = answer ?? Promise.resolve();
    answer = before.then(() => request(server));
  };
  return {
    ask,
    async settle(server) {
      if (answer === undefined) ask(server);
      await answer;
      return undefined;
    },
    async others() {
      await answer;
      return others;
    },
  };
}

/** The question as a server asks it from 2026 on: as the answer to the first call. */
export function createReturnedQuestion(options: AdoptOptions): RootQuestion {
  let others: readonly string[] = [];
  let settled = false;
  return {
    ask() {},
    async settle(_server, context) {
      if (settled) return undefined;
      const responses = context.mcpReq.inputResponses;
      if (responses === undefined && offersRoots(capabilitiesOf(context))) {
        return inputRequired({ inputRequests: { [ANSWER_KEY]: inputRequired.listRoots() } });
      }
      settled = true;
      const view = inputResponse(responses, ANSWER_KEY);
      if (view.kind === "roots") others = await adoptRoots(view.roots, options);
      else await fallBack("the client names no roots", options);
      return undefined;
    },
    others: async () => others,
  };
}

function capabilitiesOf(context: ServerContext): unknown {
  const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY];
}
