/**
 * Owns `haft tools`: what would be mounted.
 * Leaves the definitions to the toolset. Rule: with `--json`, exactly what a host hands to its model.
 */
import type { Command } from "commander";
import type { ToolDefinition } from "../../../toolset/toolset.ts";
import { colorsFor, printJson, printLine } from "../print.ts";
import { addToolsetFlags, mountWithFlags, type ToolsetFlags } from "../toolset-options.ts";

const EXAMPLES = `
Examples:
  haft tools
  haft tools --read-only
  haft tools --tools read,edit --prefix file_ --json`;

interface ToolsFlags extends ToolsetFlags {
  readonly json?: boolean;
}

export function addToolsCommand(program: Command): void {
  const command = program
    .command("tools")
    .description("list the tools and the arguments they take")
    .option("--json", "print the definitions as a model gets them")
    .addHelpText("after", EXAMPLES);
  addToolsetFlags(command, "the working directory").action(async (flags: ToolsFlags) => {
    const toolset = mountWithFlags(flags, flags.root ?? process.cwd());
    const definitions = toolset.definitions();
    await toolset.close();
    if (flags.json) return printJson(definitions);
    const colors = colorsFor(process.stdout);
    for (const definition of definitions) {
      const effect = definition.annotations.readOnlyHint ? "changes nothing" : "changes files";
      const takes = listArguments(definition.inputSchema);
      printLine(
        `${colors.bold(definition.name)} (${effect}): ${firstSentence(definition.description)}. Takes ${takes}.`,
      );
    }
  });
}

/** `path, offset?, limit?`. */
function listArguments({ properties, required = [] }: ToolDefinition["inputSchema"]): string {
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
  return names.length === 0 ? "no arguments" : names.join(", ");
}

function firstSentence(text: string): string {
  return /^[\s\S]*?(?=[.](?:\s|$))/.exec(text)?.[0] ?? text;
}
