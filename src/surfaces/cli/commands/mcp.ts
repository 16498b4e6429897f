/**
 * Owns `haft mcp`: the flags of the server. Leaves serving to surfaces/mcp.
 * Rule: what is wrong with a flag is said before the first message, with exit status 2.
 */
import type { Command } from "commander";
import { PACKAGE_VERSION } from "../package-version.ts";
import type { ProgramOptions } from "../program.ts";
import { addToolsetFlags, mountWithFlags, type ToolsetFlags } from "../toolset-options.ts";

const EXAMPLES = `
Speaks the Model Context Protocol on standard input and output, and ends with its client.
Without --root the client's first file: root is the root, and follows it when it changes.

Examples:
  haft mcp --root ~/project
  haft mcp --root ~/project --read-only
  haft mcp --root ~/project --tools read,edit,write --prefix file_`;

export function addMcpCommand(program: Command, options: ProgramOptions): void {
  const command = program
    .command("mcp")
    .description("serve the tools to an MCP client over standard input and output")
    .addHelpText("after", EXAMPLES);
  addToolsetFlags(command, "the client's first root, else the working directory").action(
    async (flags: ToolsetFlags) => {
      const cwd = process.cwd();
      const definitions = listDefinitions(flags, flags.root ?? import.meta.dirname);
      const { serveMcp } = await import("../../mcp/serve-mcp.ts");
      await serveMcp({
        version: PACKAGE_VERSION,
        output: options.protocol ?? process.stdout,
        ...(flags.root === undefined ? {} : { root: flags.root }),
        cwd,
        mountRoot: (root) => mountWithFlags(flags, root),
        definitions,
        warn: (text) => process.stderr.write(`haft mcp: ${text}\n`),
      });
      // The client is gone and everything is closed. A forgotten timer of a dependency must not keep us alive.
      process.exit(0);
    },
  );
}

/**
 * The tools are the same for every root. Before the client has named one they are listed from our own folder:
 * mounting looks at the root for leftovers, and has no business in a directory that nobody chose.
 */
function listDefinitions(flags: ToolsetFlags, root: string) {
  const toolset = mountWithFlags(flags, root);
  const definitions = toolset.definitions();
  void toolset.close();
  return definitions;
}
