/**
 * Owns the tools that the server lists before its session is open, as the flags and the configurations have them.
 * Leaves what holds where nothing is configured to standard-definitions.ts. Rule: what is wrong with either throws here,
 * before the first message.
 */
import type { Session } from "../../session/session.ts";
import type { Configured } from "../config/configure.ts";
import type { Listed } from "../mcp/greet.ts";
import { ASKED_TOOLS, type AskedTool, listAskedByMode, tellAsking } from "./asking-of-modes.ts";
import { configureWithFlags, openConfigured } from "./open-with-flags.ts";
import type { SessionFlags } from "./session-flags.ts";

export interface ListRequest {
  readonly flags: SessionFlags;
  /** Where the client has not named one yet: our own folder. Mounting has no business where nobody chose. */
  readonly root: string | undefined;
  readonly cwd: string;
  readonly warn: (text: string) => void;
}

export async function listDefinitions(request: ListRequest): Promise<Listed> {
  const { flags, root = import.meta.dirname, cwd, warn } = request;
  const configured = configureWithFlags({ flags: { ...flags, ledger: "memory" }, root, cwd, warn });
  const session = await openConfigured(configured, { root });
  try {
    return { definitions: session.definitions(), asking: await listAsking(session, configured) };
  } finally {
    void session.close();
  }
}

/** A harmless call of each tool that may be asked about. */
const SAMPLES: Readonly<Record<AskedTool, unknown>> = {
  bash: { command: "true" },
  webfetch: { url: "https://example.com" },
  browse: { url: "https://example.com" },
};

async function listAsking(
  session: Session,
  { settings: { mode = "workspace-write", rules = {} }, projectAsks }: Configured,
): Promise<ReadonlyMap<string, string>> {
  const lists = [rules.allow, rules.ask, rules.deny, projectAsks];
  if (lists.every((list = []) => list.length === 0)) return listAskedByMode(mode, session.name);
  const asking = new Map<string, string>();
  for (const bare of ASKED_TOOLS) {
    const name = session.name(bare);
    if (name === undefined) continue;
    const { outcome } = await session.explain({ name, args: SAMPLES[bare] });
    if (outcome === "ask") asking.set(name, tellAsking(bare));
  }
  return asking;
}
