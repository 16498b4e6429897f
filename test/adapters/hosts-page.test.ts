/**
 * Owns that the programs of docs/hosts.md, which README.md has too, work as they stand: compiled and run in a project of their own, with the
 * package and the SDKs in its `node_modules`, and a scripted provider over HTTP.
 * Leaves links and names to test/docs.test.ts. Rule: what is run is what stands in the page.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSnippetProject, readBlocks, type SnippetProject } from "../support/snippet-project.ts";
import { anthropicWire } from "./support/anthropic-wire.ts";
import { ScriptedChatModel } from "./support/langchain-model.ts";
import { chatWire } from "./support/openai-chat-wire.ts";
import { responsesWire } from "./support/openai-responses-wire.ts";
import { openScriptedServer, type ScriptedServer, type Turn, type Wire } from "./support/scripted-server.ts";

const snippets = readBlocks("docs/hosts.md", "ts");
const titles = [
  "anthropic",
  "openai-chat",
  "openai-responses",
  "ai-sdk",
  "ai-sdk-approvals",
  "langchain",
  "any",
];

let project: SnippetProject;
const notes = () => join(project.folder, "notes.txt");

beforeAll(() => {
  project = openSnippetProject(
    Object.fromEntries(snippets.map((snippet, index) => [titles[index] ?? `${index}`, snippet])),
  );
}, 120_000);
afterAll(() => project.remove());

let server: ScriptedServer | undefined;
beforeEach(() => writeFileSync(notes(), "Buy milk.\n"));
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const readsNotes: readonly Turn[] = [
  () => ({ calls: [{ id: "c1", name: "read", args: { path: "notes.txt" } }] }),
  ([told]) => ({ text: `It says: ${told?.text.split("\t")[1]}` }),
];

async function run(name: string, wire: Wire, script: readonly Turn[]): Promise<string> {
  server = await openScriptedServer(wire, script);
  const { url } = server;
  const { status, out, error } = await project.run(name, {
    ...{ ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: url },
    ...{ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1`, MODEL_URL: `${url}/v1` },
  });
  expect({ status, error }).toEqual({ status: 0, error: "" });
  return out;
}

describe("the programs of docs/hosts.md", () => {
  it("are those that are run here, and those of the README", () => {
    expect(snippets).toHaveLength(titles.length);
    const shown = readBlocks("README.md", "ts").filter((block) => /"haft\/[\w-]+"/.test(block));
    expect(shown).toEqual(snippets.filter((_snippet, index) => ![4, 6].includes(index)));
  });

  it.each([
    ["anthropic", anthropicWire],
    ["openai-chat", chatWire],
    ["ai-sdk", chatWire],
  ])("%s reads a file and answers", async (name, wire) => {
    expect(await run(name, wire, readsNotes)).toBe("It says: Buy milk.\n");
  });

  it("openai-responses goes on from the response before, with the results alone", async () => {
    // The provider remembers the call, so a result without it is right here.
    const wire: Wire = { ...responsesWire, findWrong: () => undefined };
    expect(await run("openai-responses", wire, readsNotes)).toBe("It says: Buy milk.\n");
    expect(server?.requests[1]).toMatchObject({ previous_response_id: "resp_1" });
    expect(server?.requests[1]?.input).toHaveLength(1);
  });

  it("ai-sdk-approvals asks before it runs a command", async () => {
    const out = await run("ai-sdk-approvals", chatWire, [
      () => ({ calls: [{ id: "c1", name: "bash", args: { command: "rm notes.txt" } }] }),
      () => ({ text: "It is gone." }),
    ]);
    expect(out).toBe('bash {"command":"rm notes.txt"}\nIt is gone.\n');
    expect(existsSync(notes())).toBe(false);
  });

  it("langchain answers with any chat model", async () => {
    server = await openScriptedServer(chatWire, readsNotes);
    const { askModel } = (await import(pathToFileURL(join(project.folder, "langchain.js")).href)) as {
      askModel(model: ScriptedChatModel, question: string): Promise<string>;
    };
    const before = process.cwd();
    process.chdir(project.folder);
    try {
      expect(await askModel(new ScriptedChatModel(server.url), "What does notes.txt say?")).toBe(
        "It says: Buy milk.",
      );
    } finally {
      process.chdir(before);
    }
  });

  it("any makes a call past every adapter", async () => {
    expect(await run("any", chatWire, [])).toBe("notes.txt: 1 line\n1\tBuy milk. 0 false true\n");
  });
});
