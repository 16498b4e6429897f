/**
 * An agent for the terminal, in the current directory:
 *
 *     MODEL_URL=http://127.0.0.1:11434/v1 MODEL_NAME=qwen3 node run-agent.js "Why does the test fail?"
 *
 * Any server that speaks the OpenAI-compatible protocol will do; `MODEL_KEY` is sent as its key.
 * Commands and the like are asked for on the terminal. Control-C cancels, and nothing stays behind.
 */
import { createInterface } from "node:readline/promises";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type Approve, openSession } from "haft";
import { runAgent } from "./agent-loop.ts";

const { MODEL_URL, MODEL_NAME, MODEL_KEY } = process.env;
const [question] = process.argv.slice(2);
if (MODEL_URL === undefined || MODEL_NAME === undefined || question === undefined) {
  console.error("Set MODEL_URL and MODEL_NAME, and give the question as the one argument.");
  process.exit(2);
}

const approve: Approve = async ({ reason, preview, suggestedRule }, { signal }) => {
  if (!process.stdin.isTTY) return { deny: "nobody is at the terminal" };
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const always = suggestedRule === undefined ? "" : `, a to allow ${suggestedRule} from now on`;
    const answer = await terminal.question(
      `${preview ?? ""}\n${reason}\n[y to allow${always}, anything else denies] `,
      {
        signal,
      },
    );
    if (answer === "y") return { allow: "once" };
    if (answer === "a" && suggestedRule !== undefined) return { allow: "always", rule: suggestedRule };
    return { deny: answer };
  } finally {
    terminal.close();
  }
};

const cancel = new AbortController();
process.once("SIGINT", () => cancel.abort());

const provider = createOpenAICompatible({
  name: "local",
  baseURL: MODEL_URL,
  ...(MODEL_KEY === undefined ? {} : { apiKey: MODEL_KEY }),
});
const session = await openSession({ root: process.cwd(), approve });
try {
  const { reason, text } = await runAgent({
    model: provider.chatModel(MODEL_NAME),
    session,
    messages: [
      { role: "system", content: "You work in the current directory through your tools. Answer shortly." },
      { role: "user", content: [{ type: "text", text: question }] },
    ],
    signal: cancel.signal,
  });
  console.log(reason === "answered" ? text : `${reason}: ${text}`);
} finally {
  await session.close();
}
