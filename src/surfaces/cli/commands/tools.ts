/**
 * Owns `haft tools`: what would be mounted.
 * Leaves the definitions to the toolset. Rule: with `--json`, exactly what a host hands to its model.
 */
import type { Command } from "commander";
import type { ToolDefinition } from "../../../toolset/toolset.ts";
import { openWithFlags } from "../open-with-flags.ts";
import { colorsFor, printJson, printLine } from "../print.ts";
import { addSessionFlags, type SessionFlags } from "../session-flags.ts";

const EXAMPLES = `
Examples:
  haft tools
  haft tools --read-only
  haft tools --tools read,edit --prefix file_ --json`;

interface ToolsFlags extends SessionFlags {
  readonly json?: boolean;
}

export function addToolsCommand(program: Command): void {
  const command = program
    .command("tools")
    .description("list the tools and the arguments they take")
    .option("--json", "print the definitions as a model gets them")
    .addHelpText("after", EXAMPLES);
  addSessionFlags(command, "the working directory").action(async (flags: ToolsFlags) => {
    const cwd = process.cwd();
    const session = await openWithFlags({
      flags: { ...flags, ledger: "memory" },
      root: flags.root ?? cwd,
      cwd,
    });
    const definitions = session.definitions();
    await session.close();
    if (flags.json) return printJson(definitions);
    const colors = colorsFor(process.stdout);
    for (const definition of definitions) {
      const effect = describeEffect(definition.annotations);
      const takes = listArguments(definition.inputSchema);
      printLine(
        `${colors.bold(definition.name)} (${effect}): ${firstSentence(definition.description)}. Takes ${takes}.`,
      );
    }
  });
}

function describeEffect({ readOnlyHint, openWorldHint }: ToolDefinition["annotations"]): string {
  if (readOnlyHint) return openWorldHint ? "reaches the network" : "changes nothing";
  return openWorldHint ? "runs commands" : "changes files";
}

/** `path, offset?, limit?`. */
function listArguments({ properties, required = [] }: ToolDefinition["inputSchema"]): string {
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
  return names.length === 0 ? "no arguments" : names.join(", ");
}

function firstSentence(text: string): string {
  return /^[\s\S]*?(?=[.](?:\s|$))/.exec(text)?.[0] ?? text;
}
