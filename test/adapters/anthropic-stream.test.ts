/**
 * Owns streamed messages of Anthropic's: the SDK puts them together, the adapter answers them.
 * Leaves all else to conversations.test.ts. Rule: the real SDK, and events as the API sends them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { expect, it, onTestFinished } from "vitest";
import { openSession } from "../../src/index.ts";
import { answerToolUses, toAnthropicTools } from "../../src/surfaces/adapters/anthropic.ts";

/** A message with one call, its arguments in pieces. */
function* streamCall(of: { name: string; pieces: readonly string[]; stopReason: string }) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const empty = { id: "m", type: "message", role: "assistant", model: "m", content: [], usage };
  yield { type: "message_start", message: { ...empty, stop_reason: null, stop_sequence: null } };
  const block = { type: "tool_use", id: "c1", name: of.name, input: {}, caller: { type: "direct" } };
  yield { type: "content_block_start", index: 0, content_block: block };
  for (const partial_json of of.pieces)
    yield { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json } };
  yield { type: "content_block_stop", index: 0 };
  yield { type: "message_delta", delta: { stop_reason: of.stopReason, stop_sequence: null }, usage };
  yield { type: "message_stop" };
}

async function answer(call: Parameters<typeof streamCall>[0]) {
  const root = mkdtempSync(join(tmpdir(), "haft-stream-"));
  writeFileSync(join(root, "a.txt"), "alpha\n");
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of streamCall(call))
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const session = await openSession({ root, ledger: "memory" });
  onTestFinished(async () => {
    await session.close();
    server.closeAllConnections();
    server.close();
    rmSync(root, { recursive: true, force: true });
  });
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Anthropic({ apiKey: "none", baseURL, maxRetries: 0 });
  const request = { model: "m", max_tokens: 10, messages: [{ role: "user" as const, content: "Do it." }] };
  const stream = client.messages.stream({ ...request, tools: toAnthropicTools(session) });
  const message = await stream.finalMessage();
  return { root, message, results: await answerToolUses(session, message) };
}

it("a streamed call is answered like any other", async () => {
  const pieces = ['{"pa', 'th":"a.txt"}'];
  const { results } = await answer({ name: "read", pieces, stopReason: "tool_use" });
  expect(results).toEqual([{ type: "tool_result", tool_use_id: "c1", content: "a.txt: 1 line\n1\talpha" }]);
});

it("a stream that ends inside the arguments changes nothing, though the SDK closes what was open", async () => {
  const edits = '"edits":[{"old_text":"alpha","new_text":"omega"}';
  const pieces = ['{"path":"a.txt",', edits, ',{"old_text":"be'];
  const { root, message, results } = await answer({ name: "edit", pieces, stopReason: "max_tokens" });
  expect(message.content).toMatchObject([{ input: { path: "a.txt", edits: [{ new_text: "omega" }, {}] } }]);
  expect(results).toMatchObject([{ is_error: true, content: expect.stringMatching(/end too early/) }]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("alpha\n");
});
