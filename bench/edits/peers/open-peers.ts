/**
 * Owns the edit tools of others, installed for the benchmark and called as their own agents call them.
 * Leaves each one's call to a file of its own. Rule: what cannot be installed or called without a model or a
 * network is skipped aloud; nothing of it stays in the project.
 */
import { installPackages } from "../packages.ts";
import type { OpenTool } from "../play.ts";
import { agentToolset } from "./anthropic-agent-toolset.ts";
import { memoryTool } from "./anthropic-memory.ts";
import { geminiCli } from "./gemini-cli.ts";
import { filesystemServer } from "./mcp-filesystem.ts";
import { pi } from "./pi.ts";

/** Imports a module by its URL. */
export type Load = (url: string) => Promise<unknown>;

export interface Peer {
  readonly name: string;
  readonly package: string;
  /** Loads what is needed and gives the way to open the tool for a folder. */
  prepare(use: { modules: string; load: Load }): Promise<OpenTool>;
}

const PEERS: readonly Peer[] = [pi, geminiCli, filesystemServer, agentToolset, memoryTool];

export async function openPeers(load: Load): Promise<{ name: string; open: OpenTool }[]> {
  const opened: { name: string; open: OpenTool }[] = [];
  for (const peer of PEERS) {
    try {
      const modules = installPackages([peer.package]);
      opened.push({ name: peer.name, open: await peer.prepare({ modules, load }) });
    } catch (error) {
      console.log(
        `${peer.name}: skipped (${String(error instanceof Error ? error.message : error).split("\n")[0]})`,
      );
    }
  }
  return opened;
}
