/**
 * Owns that the programs of docs/hosts.md work as they stand: compiled and run in a project of their own, with the
 * package and the SDKs in its `node_modules`, and a scripted provider over HTTP.
 * Leaves links and names to test/docs.test.ts. Rule: what is run is what stands in the page.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anthropicWire } from "./support/anthropic-wire.ts";
import { ScriptedChatModel } from "./support/langchain-model.ts";
import { chatWire } from "./support/openai-chat-wire.ts";
import { responsesWire } from "./support/openai-responses-wire.ts";
import { openScriptedServer, type ScriptedServer, type Turn, type Wire } from "./support/scripted-server.ts";

const repository = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(repository, "docs", "hosts.md"), "utf8");
const snippets = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");
const titles = [
  "anthropic",
  "openai-chat",
  "openai-responses",
  "ai-sdk",
  "ai-sdk-approvals",
  "langchain",
  "any",
];

let project = "";
const notes = () => join(project, "notes.txt");

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "haft-hosts-"));
  installPackages(project);
  writeFileSync(join(project, "package.json"), '{"private":true,"type":"module"}\n');
  for (const [index, snippet] of snippets.entries())
    writeFileSync(join(project, `${titles[index] ?? index}.ts`), snippet);
  const compilerOptions = {
    ...{ target: "es2023", module: "nodenext", strict: true, exactOptionalPropertyTypes: true },
    ...{ noUncheckedIndexedAccess: true, skipLibCheck: true, types: ["node"] },
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
  const built = spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
  expect(built.stdout).toBe("");
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** As `npm install` would leave them, by links. */
function installPackages(folder: string): void {
  const installed = join(repository, "node_modules");
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(installed).filter((name) => !name.startsWith(".")))
    symlinkSync(join(installed, name), join(folder, "node_modules", name));
  symlinkSync(repository, join(folder, "node_modules", "haft"));
}

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
  const env = {
    ...process.env,
    ...{ ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: url },
    ...{ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1`, MODEL_URL: `${url}/v1` },
  };
  const program = spawn(process.execPath, [join(project, `${name}.js`)], { cwd: project, env });
  let [out, error] = ["", ""];
  program.stdout.on("data", (piece) => {
    out += piece;
  });
  program.stderr.on("data", (piece) => {
    error += piece;
  });
  const status = await new Promise((resolve) => program.on("close", resolve));
  // Node 20 to 24 announce experimental parts of their own; the programs have nothing to say.
  expect({ status, error: error.replace(/^.*ExperimentalWarning.*\n.*\n/gm, "") }).toEqual({
    status: 0,
    error: "",
  });
  return out;
}

describe("the programs of docs/hosts.md", () => {
  it("are those that are run here", () => {
    expect(snippets).toHaveLength(titles.length);
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
    const { askModel } = (await import(pathToFileURL(join(project, "langchain.js")).href)) as {
      askModel(model: ScriptedChatModel, question: string): Promise<string>;
    };
    const before = process.cwd();
    process.chdir(project);
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
