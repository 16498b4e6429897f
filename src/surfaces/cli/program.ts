/**
 * Owns the command line as a whole: its commands, its help, its exit status.
 * Leaves each command to its file in commands/. Rule: 0 is done, 1 is refused, 2 is a usage error; an error is one
 * or two lines on standard error and never a stack trace, and with --json an object on standard output too.
 */
import type { Writable } from "node:stream";
import { Command, CommanderError } from "commander";
import { OptionsError } from "../../contract/errors.ts";
import type { LedgerError } from "../../ledger/ledger-error.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { tellLedgerError, tellOptionsError } from "./error-words.ts";
import { PACKAGE_VERSION } from "./package-version.ts";
import { hasPrintedJson, printJson } from "./print.ts";

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

type AddCommand = (program: Command, options: ProgramOptions) => void;

/** In the order of the help; each is loaded when it is asked for, or when all are to be told. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  call: async () => (await import("./commands/call.ts")).addCallCommand,
  explain: async () => (await import("./commands/explain.ts")).addExplainCommand,
  tools: async () => (await import("./commands/tools.ts")).addToolsCommand,
  mcp: async () => (await import("./commands/mcp.ts")).addMcpCommand,
  ledger: async () => (await import("./commands/ledger.ts")).addLedgerCommand,
  commitments: async () => (await import("./commands/commitments.ts")).addCommitmentsCommand,
  trust: async () => (await import("./commands/trust.ts")).addTrustCommand,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctorCommand,
  demo: async () => (await import("./commands/demo.ts")).addDemoCommand,
  init: async () => (await import("./commands/init.ts")).addInitCommand,
  completion: async () => (await import("./commands/completion.ts")).addCompletionCommand,
};

/** Completion tells of every command; so does a word that is none, which may be near to one. */
function chooseCommands(first: string | undefined): readonly (() => Promise<AddCommand>)[] {
  const isOne = first !== undefined && first !== "completion" && Object.hasOwn(COMMANDS, first);
  const chosen = isOne ? COMMANDS[first] : undefined;
  return chosen === undefined ? Object.values(COMMANDS) : [chosen];
}

async function createProgram(words: readonly string[], options: ProgramOptions): Promise<Command> {
  const program = new Command("haft")
    .description("File tools for AI agents, rooted in one directory.")
    .version(PACKAGE_VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print the help of a command")
    .showHelpAfterError("(haft --help shows what can be said)")
    .exitOverride()
    .addHelpText("after", EXAMPLES);
  for (const load of chooseCommands(words[0])) (await load())(program, options);
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
    process.stderr.write(`haft: standard output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
  const said = unlessHelpOnNothing(words);
  try {
    await (await createProgram(said, options)).parseAsync(said, { from: "user" });
  } catch (error) {
    process.exitCode = reportError(error, said);
  }
}

/** commander answers `help` on a word that is no command with the help of all: as the command itself it is told what is near. */
function unlessHelpOnNothing(words: readonly string[]): readonly string[] {
  const [first, about] = words;
  const isOnNothing =
    first === "help" && about !== undefined && /^\w/.test(about) && !Object.hasOwn(COMMANDS, about);
  return isOnNothing && about !== "help" ? words.slice(1) : words;
}

/** Who asked for JSON gets the error as JSON too, on standard output, beside the words for people. */
function reportError(error: unknown, words: readonly string[]): number {
  // commander has printed its own message; what it calls an error (1) is a usage error here.
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return 0;
  const status = isUsage || error instanceof OptionsError || error instanceof ConfigurationError ? 2 : 1;
  const message = describeError(error);
  if (!isUsage) process.stderr.write(`haft: ${message}\n`);
  if (wantsJson(words) && !hasPrintedJson()) printJson({ error: { message, status } });
  return status;
}

/** The protocol alone goes to the server's standard output. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return words[0] !== "mcp" && (end === -1 ? words : words.slice(0, end)).includes("--json");
}

function describeError(error: unknown): string {
  if (error instanceof CommanderError) return error.message.replace(/^error: /, "");
  if (error instanceof OptionsError) return tellOptionsError(error);
  if (error instanceof Error && error.name === "LedgerError") return tellLedgerError(error as LedgerError);
  if (isWithoutFolder(error)) return "the working directory does not exist any more: go to one that does";
  return error instanceof Error ? error.message : String(error);
}

function isWithoutFolder(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "uv_cwd";
}
