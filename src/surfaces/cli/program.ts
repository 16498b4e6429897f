/**
 * Owns the command line as a whole: its commands, its help, its exit status.
 * Leaves each command to its file in commands/. Rule: 0 is done, 1 is refused, 2 is a usage error; an error is one
 * or two lines on standard error and never a stack trace.
 */
import type { Writable } from "node:stream";
import { Command, CommanderError } from "commander";
import { OptionsError } from "../../contract/errors.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { addCallCommand } from "./commands/call.ts";
import { addCommitmentsCommand } from "./commands/commitments.ts";
import { addCompletionCommand } from "./commands/completion.ts";
import { addDemoCommand } from "./commands/demo.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addExplainCommand } from "./commands/explain.ts";
import { addInitCommand } from "./commands/init.ts";
import { addLedgerCommand } from "./commands/ledger.ts";
import { addMcpCommand } from "./commands/mcp.ts";
import { addToolsCommand } from "./commands/tools.ts";
import { addTrustCommand } from "./commands/trust.ts";
import { PACKAGE_VERSION } from "./package-version.ts";

export interface ProgramOptions {
  /** The claimed standard output, where the program is the server. */
  readonly protocol?: Writable;
}

const EXAMPLES = `
Examples:
  haft demo                                     a small repair, from end to end
  haft call read '{"path":"README.md"}'         one call on the working directory
  haft mcp --root ~/project                     serve the tools to an MCP client
  haft doctor                                   what was found here, and what is missing`;

function createProgram(options: ProgramOptions = {}): Command {
  const program = new Command("haft")
    .description("File tools for AI agents, rooted in one directory.")
    .version(PACKAGE_VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print the help of a command")
    .showHelpAfterError("(haft --help shows what can be said)")
    .exitOverride()
    .addHelpText("after", EXAMPLES);
  for (const add of [
    addCallCommand,
    addExplainCommand,
    addToolsCommand,
    addMcpCommand,
    addLedgerCommand,
    addCommitmentsCommand,
    addTrustCommand,
    addDoctorCommand,
    addDemoCommand,
    addInitCommand,
    addCompletionCommand,
  ]) {
    add(program, options);
  }
  for (const command of program.commands) {
    command.exitOverride().helpOption("-h, --help", "print help");
    command.showHelpAfterError(`(haft ${command.name()} --help shows what can be said)`);
  }
  return program;
}

/** Runs one command line and leaves its result in the exit status. */
export async function runProgram(words: readonly string[], options: ProgramOptions = {}): Promise<void> {
  // `haft tools | head -1`: a reader that has seen enough is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
  });
  try {
    await createProgram(options).parseAsync(words, { from: "user" });
  } catch (error) {
    process.exitCode = reportError(error);
  }
}

function reportError(error: unknown): number {
  // commander has printed its own message; what it calls an error (1) is a usage error here.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof OptionsError) {
    // `rules.allow[2]` is one of the flags `--allow`, or a rule of the configuration.
    const option = error.option.replace(/^rules\.(\w+)\[\d+\]$/, "$1");
    const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    process.stderr.write(`haft: ${error.message.replace(`option ${error.option}`, flag)}\n`);
    return 2;
  }
  if (error instanceof ConfigurationError) {
    process.stderr.write(`haft: ${error.message}\n`);
    return 2;
  }
  process.stderr.write(`haft: ${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
}
