/** Serves haft's tools and one of the host's own to an MCP client: `node serve-own-tool.js DIRECTORY`. */
import { serveMcp } from "haft/mcp";
import { bumpVersion } from "./bump-version.ts";

await serveMcp({
  root: process.argv[2] ?? ".",
  tools: ["read", "grep", "edit", bumpVersion],
  rules: { allow: ["writes(**/package.json)"] },
  ledger: "memory",
});
