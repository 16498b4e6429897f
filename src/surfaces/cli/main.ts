#!/usr/bin/env node
/**
 * Owns the first moment of the program `haft`. Leaves everything else to program.ts.
 * Rule: the server's standard output is claimed before any other module is loaded, so that nothing a module
 * prints while it loads stands between two messages.
 */
import { claimStdout } from "../mcp/stdout-guard.ts";

const words = process.argv.slice(2);
const asksForHelp = words.includes("--help") || words.includes("-h");
const protocol = words[0] === "mcp" && !asksForHelp ? claimStdout() : undefined;
const { runProgram } = await import("./program.ts");
await runProgram(words, protocol === undefined ? {} : { protocol });
