/**
 * Owns `haft tools`: what would be mounted.
 * Leaves the definitions to the toolset. Rule: with `--json`, exactly what a host hands to its model.
 */
import type { Command } from "commander";
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
    .description("list the tools and what they take")
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
      printLine(`${colors.bold(definition.name)} (${effect}): ${firstSentence(definition.description)}`);
    }
  });
}

function firstSentence(text: string): string {
  return /^[\s\S]*?(?=[.](?:\s|$))/.exec(text)?.[0] ?? text;
}
