/**
 * Owns the demo: a real MCP client starts `haft mcp` as its child and repairs the sample through it.
 * Leaves the story to demo-steps.ts. Rule: it fails where anything is not as the story says.
 */
import { fileURLToPath } from "node:url";
import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { colorsFor, printLine } from "../print.ts";
import { DEMO_RULE, DEMO_STEPS, type DemoStep } from "./demo-steps.ts";
import { runSampleTest } from "./run-sample-test.ts";
import { createSampleWorkspace, type SampleWorkspace } from "./sample-workspace.ts";

const SHOWN_LINES = 18;

export interface DemoOptions {
  /** Leaves the sample where it is and says where. */
  readonly keep: boolean;
}

/** Runs the demo and gives what went otherwise than it should; nothing is the success. */
export async function runDemo(options: DemoOptions): Promise<readonly string[]> {
  const sample = createSampleWorkspace();
  try {
    return await repairSample(sample);
  } finally {
    if (options.keep) printLine(`\nThe sample stays in ${sample.root}`);
    else sample.remove();
  }
}

async function repairSample(sample: SampleWorkspace): Promise<readonly string[]> {
  const colors = colorsFor(process.stdout);
  printLine(colors.bold("haft demo: a model repairs a small project through the MCP server"));
  printLine(`\n$ node --test   ${runSampleTest(sample.root) ? "passes" : "fails: the sample has a bug"}`);
  const client = await connectClient(sample.root);
  const problems: string[] = [];
  try {
    const { tools } = await client.listTools();
    const offered = tools.map((tool) => tool.name);
    printLine(`$ haft mcp --root ${sample.root} --allow '${DEMO_RULE}'   offers ${offered.join(", ")}`);
    for (const step of DEMO_STEPS) {
      // Where there is no bash, the repair is shown without it.
      if (offered.includes(step.tool)) problems.push(...(await playStep(client, step)));
    }
  } finally {
    await client.close();
  }
  problems.push(...checkSample(sample));
  printLine(`\n$ node --test   ${problems.length === 0 ? "passes: repaired" : "see below"}`);
  printLine(
    problems.length === 0
      ? colors.green(`\nDone: ${DEMO_STEPS.length} calls, each answered as it should be.`)
      : colors.red(`\nNot as it should be:\n${problems.map((problem) => `- ${problem}`).join("\n")}`),
  );
  return problems;
}

/** The client is an optional package: only the demo needs one, and every MCP host brings its own. */
async function connectClient(root: string): Promise<Client> {
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    import("@modelcontextprotocol/client"),
    import("@modelcontextprotocol/client/stdio"),
  ]).catch((error: unknown) => {
    throw new Error("the demo needs the package @modelcontextprotocol/client, which is not installed", {
      cause: error,
    });
  });
  const client = new Client({ name: "haft-demo", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        fileURLToPath(new URL("../main.js", import.meta.url)),
        ...["mcp", "--root", root, "--allow", DEMO_RULE],
      ],
    }),
  );
  return client;
}

async function playStep(client: Client, step: DemoStep): Promise<string[]> {
  const colors = colorsFor(process.stdout);
  printLine(`\n${colors.dim(`# ${step.why}`)}`);
  printLine(colors.cyan(`${step.tool} ${JSON.stringify(step.args)}`));
  const result = (await client.callTool({ name: step.tool, arguments: { ...step.args } })) as CallToolResult;
  const text = result.content
    .map((block) => (block.type === "text" ? block.text : `(${block.type})`))
    .join("\n");
  printLine(shorten(text));
  return checkResult(step, result, text);
}

function checkResult(step: DemoStep, result: CallToolResult, text: string): string[] {
  const problems: string[] = [];
  const meta = result._meta?.["haft/refusal"] as { code?: string } | undefined;
  if (step.refusal !== meta?.code) {
    problems.push(`${step.tool}: expected ${step.refusal ?? "success"}, got ${meta?.code ?? "success"}`);
  }
  for (const part of step.contains) {
    if (!text.includes(part))
      problems.push(`${step.tool}: the answer does not contain ${JSON.stringify(part)}`);
  }
  return problems;
}

/** What must be true on disk afterwards, looked at past the tools. */
function checkSample(sample: SampleWorkspace): string[] {
  const problems: string[] = [];
  const changes = sample.bytesOf("CHANGES.txt").toString("latin1");
  if (changes !== "basket 1.0\r\n- first version\r\n- quantities count\r\n") {
    problems.push(`CHANGES.txt lost its line endings: ${JSON.stringify(changes)}`);
  }
  if (!runSampleTest(sample.root)) problems.push("the sample's own test still fails");
  return problems;
}

function shorten(text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, SHOWN_LINES).map((line) => `  ${line}`);
  if (lines.length > SHOWN_LINES) shown.push(`  … ${lines.length - SHOWN_LINES} more`);
  return shown.join("\n");
}
