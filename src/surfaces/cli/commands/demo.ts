/**
 * Owns `haft demo`. Leaves the demo to demo/. Rule: status 1 where anything is not as the story says.
 */
import type { Command } from "commander";

const EXAMPLES = `
Makes a small project in a temporary folder, starts haft mcp on it, and repairs it through a real MCP client.

Examples:
  haft demo
  haft demo --keep`;

export function addDemoCommand(program: Command): void {
  program
    .command("demo")
    .description("repair a sample project through the MCP server, on screen")
    .option("--keep", "leave the sample where it is")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: { keep?: boolean }) => {
      const { runDemo } = await import("../demo/run-demo.ts");
      const problems = await runDemo({ keep: flags.keep ?? false });
      process.exitCode = problems.length === 0 ? 0 : 1;
    });
}
