#!/usr/bin/env node
/**
 * Owns the first moment of the program `haft`. Leaves everything else to program.ts.
 * Rule: loads nothing before it is known what is wanted. The version needs nothing else; the server's standard output
 * is claimed before any other module is loaded, so that nothing a module prints while it loads stands between two
 * messages.
 */
import { tellVersion } from "./tell-version.ts";

const words = process.argv.slice(2);
if (words.length !== 1 || !["--version", "-V"].includes(words[0] ?? "") || !tellVersion()) await run();

async function run(): Promise<void> {
  const { keepCompiled } = await import("./keep-compiled.ts");
  keepCompiled();
  const asksForHelp = words.includes("--help") || words.includes("-h");
  const isServer = words[0] === "mcp" && !asksForHelp;
  const protocol = isServer ? (await import("../mcp/stdout-guard.ts")).claimStdout() : undefined;
  const { runProgram } = await import("./program.ts");
  await runProgram(words, protocol === undefined ? {} : { protocol });
}
