/**
 * Owns `haft init`: shows what it would write, asks, and writes it.
 * Leaves what that is to surfaces/config/plan-init.ts. Rule: nothing is written that was not shown, and nothing without a yes.
 */
import { resolve } from "node:path";
import type { Command } from "commander";
import { openRoot } from "../../../root/open-root.ts";
import {
  CLIENTS,
  type ClientName,
  findClients,
  type Plan,
  planInit,
  writePlanned,
} from "../../config/plan-init.ts";
import { colorsFor, printJson, printLine } from "../print.ts";
import { makeSafe } from "../print-safely.ts";

const EXAMPLES = `
Writes haft.config.json, which narrows what agents may do in this project, and the entry for haft into the file in
which a client keeps the servers of a project: .mcp.json (claude), .cursor/mcp.json (cursor), .vscode/mcp.json (vscode).
What stands in these files stays. Without --client it takes those that the project has files of, else claude.

Examples:
  haft init
  haft init --client cursor --client vscode
  haft init --root ~/project --yes`;

interface InitFlags {
  readonly root?: string;
  readonly client?: readonly string[];
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addInitCommand(program: Command): void {
  const command = program
    .command("init")
    .description("write a project's configuration and a client's entry, after showing both")
    .option("--root <dir>", "the project's directory (default: the working directory)")
    .option("--client <name>", `one of ${CLIENTS.join(", ")}; may be given more than once`, gather)
    .option("--yes", "write without asking")
    .option("--json", "print what would be written, or with --yes was, as JSON")
    .addHelpText("after", EXAMPLES);
  command.action(async (flags: InitFlags) => {
    const root = openRoot({ root: resolve(flags.root ?? ".") }).path;
    const clients = readClients(command, flags.client) ?? findClients(root);
    const plan = planInit({ root, clients, program: process.argv[1] ?? "haft" });
    if (flags.json) printJson({ ...plan, written: flags.yes === true });
    else await show(plan);
    if (plan.left.length > 0) process.exitCode = 1;
    if (plan.files.length === 0) return;
    if (flags.yes !== true && (flags.json || !(await ask()))) {
      process.exitCode = 1;
      return;
    }
    for (const file of plan.files) writePlanned(root, file);
    if (!flags.json) printLine(`written: ${plan.files.map(({ shown }) => shown).join(", ")}`);
  });
}

function readClients(
  command: Command,
  names: readonly string[] | undefined,
): readonly ClientName[] | undefined {
  return names?.map((name) => {
    const client = CLIENTS.find((one) => one === name);
    if (client === undefined)
      return command.error(`error: --client takes ${CLIENTS.join(", ")}, not ${JSON.stringify(name)}`, {
        exitCode: 2,
      });
    return client;
  });
}

async function show({ files, left }: Plan): Promise<void> {
  const { createTwoFilesPatch } = await import("diff");
  for (const { shown, before, after } of files) {
    const patch = createTwoFilesPatch(before === undefined ? "/dev/null" : shown, shown, before ?? "", after);
    printLine(paint(makeSafe(patch.replace(/^=+\n/, ""))));
  }
  for (const { shown, why, entry } of left)
    process.stderr.write(`haft: ${shown} is left alone: ${why}. By hand it would be:\n${entry}\n`);
  if (files.length + left.length === 0) printLine("there is nothing to write");
}

function paint(patch: string): string {
  const colors = colorsFor(process.stdout);
  return patch
    .split("\n")
    .map((line) =>
      line.startsWith("+") ? colors.green(line) : line.startsWith("-") ? colors.red(line) : line,
    )
    .join("\n");
}

/** Asks on a terminal; where nobody sits at one, nobody has said yes. */
async function ask(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    process.stderr.write("haft: nothing was written; --yes writes it\n");
    return false;
  }
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question("Write this? [y]es, [n]o: ")).trim());
  } finally {
    lines.close();
  }
}

function gather(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
