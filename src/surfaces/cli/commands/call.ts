/**
 * Owns `haft call`: one call of one tool, for people and scripts.
 * Leaves arguments to the toolset's own gate. Rule: the text is what a model would read, byte for byte;
 * a terminal alone is spared the control characters that were in it.
 */
import type { Command } from "commander";
import type { ToolOutput } from "../../../contract/output.ts";
import type { Session } from "../../../session/session.ts";
import { makeTerminalApprove } from "../ask-on-terminal.ts";
import { openWithFlags } from "../open-with-flags.ts";
import { printJson, printLine } from "../print.ts";
import { safeFor } from "../print-safely.ts";
import { readJsonArgument } from "../read-json-argument.ts";
import { addSessionFlags, type SessionFlags } from "../session-flags.ts";

const EXAMPLES = `
JSON is the call's arguments; - reads them from standard input. The status is 1 where the call is refused.
Where a person must be asked, it is asked for on the terminal; without one the call is denied.

Examples:
  haft call read '{"path":"src/main.ts","offset":40,"limit":20}'
  haft call grep '{"pattern":"TODO","glob":"*.ts"}' --root ~/project
  haft call edit - < edit.json
  haft call list --json`;

interface CallFlags extends SessionFlags {
  readonly json?: boolean;
}

export function addCallCommand(program: Command): void {
  const command = program
    .command("call")
    .description("call one tool and print its result")
    .argument("<tool>", "the tool's name; haft tools lists them")
    .argument("[json]", "the arguments as JSON, or - for standard input")
    .option("--json", "print the whole output as JSON: text, images, details, refusal")
    .addHelpText("after", EXAMPLES);
  addSessionFlags(command, "the working directory").action(
    async (tool: string, json: string | undefined, flags: CallFlags) => {
      const cwd = process.cwd();
      const approve = makeTerminalApprove(process.stdin, process.stderr);
      const session = await openWithFlags({
        flags,
        root: flags.root ?? cwd,
        cwd,
        ...(approve === undefined ? {} : { approve }),
      });
      try {
        await callOnce({ command, session, tool, json, flags });
      } finally {
        await session.close();
      }
    },
  );
}

interface OneCall {
  readonly command: Command;
  readonly session: Session;
  readonly tool: string;
  readonly json: string | undefined;
  readonly flags: CallFlags;
}

async function callOnce({ command, session, tool, json, flags }: OneCall): Promise<void> {
  const args = await readJsonArgument(json);
  const output = await callUntilInterrupted(session, tool, args);
  if (flags.json) printJson(output);
  if (output.isError && output.refusal.code === "tool-unknown") {
    command.error(output.content, { exitCode: 2 });
  }
  if (!flags.json) printOutput(output);
  process.exitCode = output.isError ? 1 : 0;
}

/** Ctrl-C cancels the call, which cleans up; a second one ends the program as usual. */
async function callUntilInterrupted(session: Session, tool: string, args: unknown): Promise<ToolOutput> {
  const abort = new AbortController();
  const interrupt = (): void => abort.abort();
  process.once("SIGINT", interrupt);
  try {
    return await session.call(tool, args, { signal: abort.signal });
  } finally {
    process.off("SIGINT", interrupt);
  }
}

function printOutput(output: ToolOutput): void {
  if (output.isError) process.stderr.write(`${safeFor(process.stderr, output.content)}\n`);
  else printLine(safeFor(process.stdout, output.content));
  for (const image of output.images) {
    process.stderr.write(`(${image.mediaType}, ${image.width}x${image.height}: --json prints it)\n`);
  }
}
