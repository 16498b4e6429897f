/**
 * Owns asking the client's person whether a call may run, in the words of the protocol (elicitation).
 * Leaves what is asked to permission/. Rule: an answer that is not a clear yes is a no; a client that cannot ask is
 * said to be one, so that the denial can name the flag that allows.
 *
 * Two revisions of the protocol ask in two ways. Up to 2025 the server sends a request while the call runs. From
 * 2026 the call is answered with the question, and the client makes it again with the answer.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Answer, Approve, Ask } from "../../contract/decision.ts";
import { describeAsk, findWholeCommand } from "../../permission/describe-ask.ts";
import type { Session } from "../../session/session.ts";
import { offersForm } from "./client-capabilities.ts";

/** A person may be away from the desk; the call can be cancelled meanwhile. */
const ANSWER_TIMEOUT_MS = 3_600_000;
const ANSWER_KEY = "permission";
/** Characters of a change that are shown with the question. */
const PREVIEW_MAX = 4_000;

/** How the person behind one call is asked. */
type AskPerson = (ask: Question, signal: AbortSignal) => Promise<Answer>;
type Question = Pick<Ask, "reason" | "preview" | "suggestedRule">;

export interface Asks {
  /** The approver of the session: asks whoever made the call. */
  readonly approve: Approve;
  /** Runs a call whose asks go to the person behind this request. */
  within<T>(person: AskPerson, act: () => Promise<T>): Promise<T>;
}

export function createAsks(): Asks {
  const people = new AsyncLocalStorage<AskPerson>();
  return {
    async approve(ask, { signal }) {
      const askPerson = people.getStore();
      if (askPerson === undefined) throw new Error("no client made this call");
      return askPerson(ask, signal);
    },
    within: (person, act) => people.run(person, act),
  };
}

/** Whether the client behind a request can ask its person. */
export function canAsk(server: Server, context: ServerContext | undefined): boolean {
  const envelope = context?.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  return offersForm(envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities());
}

/** Asks with a request of the server's own (2025). */
export function askByRequest(server: Server, context: ServerContext): AskPerson {
  return async (ask, signal) => {
    if (!canAsk(server, context)) throw new Error("this client cannot ask a person");
    const options = { signal, timeout: ANSWER_TIMEOUT_MS };
    const { action, content } = await context.mcpReq.elicitInput(makeForm(ask), options);
    return readAnswer(ask, action, content);
  };
}

export interface ReturnedCall {
  readonly session: Session;
  readonly server: Server;
  readonly context: ServerContext;
  readonly name: string;
  readonly args: unknown;
}

/**
 * Asks by answering the call with the question (2026): gives the question, or how the person is asked where the
 * answer came along. The answer holds for the very call that was asked about and for no other.
 */
export async function askByReturn(call: ReturnedCall): Promise<InputRequiredResult | AskPerson> {
  const { session, server, context, name, args } = call;
  if (!canAsk(server, context))
    return async () => {
      throw new Error("this client cannot ask a person");
    };
  const asked = hashCall(name, args);
  const view = inputResponse(context.mcpReq.inputResponses, ANSWER_KEY);
  if (view.kind === "elicit" && context.mcpReq.requestState() === asked)
    return async (ask) => readAnswer(ask, view.action, view.content);
  const explained = await session.explain({ name, args });
  if (explained.outcome !== "ask")
    return async () => {
      throw new Error("the person was not asked");
    };
  const { reason, effects, suggestedRule, diff, access } = explained;
  const preview = diff ?? findWholeCommand(access.runs, effects);
  const question = {
    reason: `${describeAsk({ name, effects, paths: access.paths })}: ${reason}`,
    ...(suggestedRule === undefined ? {} : { suggestedRule }),
    ...(preview === undefined ? {} : { preview }),
  };
  return inputRequired({
    inputRequests: { [ANSWER_KEY]: inputRequired.elicit(makeForm(question)) },
    requestState: asked,
  });
}

const ONCE = "Allow once";
const DENY = "Deny";
const always = (rule: string) => `Allow from now on: ${rule}`;

function makeForm({ reason, preview, suggestedRule }: Question): ElicitRequestFormParams {
  const choices = [ONCE, ...(suggestedRule === undefined ? [] : [always(suggestedRule)]), DENY];
  return {
    mode: "form",
    message: preview === undefined ? reason : `${reason}\n\n${clip(preview)}`,
    requestedSchema: {
      type: "object",
      properties: {
        answer: { type: "string", title: "May the call run?", enum: choices, default: DENY },
        words: { type: "string", title: "Words for the model, where you deny" },
      },
      required: ["answer"],
    },
  };
}

function readAnswer(
  { suggestedRule }: Question,
  action: "accept" | "decline" | "cancel",
  content: Readonly<Record<string, unknown>> | undefined,
): Answer {
  const answer = content?.answer;
  if (action === "accept" && answer === ONCE) return { allow: "once" };
  if (action === "accept" && suggestedRule !== undefined && answer === always(suggestedRule))
    return { allow: "always", rule: suggestedRule };
  return { deny: typeof content?.words === "string" ? content.words : "" };
}

function hashCall(name: string, args: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([name, args ?? null]))
    .digest("base64url");
}

/** Both ends: what is harmless for a screen may end otherwise. */
function clip(text: string): string {
  const characters = [...text.toWellFormed()];
  const hidden = characters.length - PREVIEW_MAX;
  if (hidden <= 0) return text.toWellFormed();
  const side = PREVIEW_MAX / 2;
  const ends = [characters.slice(0, side).join(""), characters.slice(-side).join("")];
  return ends.join(`\n… ${hidden} characters are not shown here …\n`);
}
