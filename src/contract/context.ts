/**
 * Owns what a tool is given besides its arguments.
 * Leaves filling it in to the toolset and the session. Rule: read-only; a tool reaches upward through ports alone.
 */
import type { Place } from "./access.ts";
import type { Browser } from "./browser.ts";
import type { CommitmentReader } from "./commitment-view.ts";
import type { Limits } from "./limits.ts";
import type { MayConnect, Network } from "./network.ts";
import type { SeenRange } from "./output.ts";
import type { Pages } from "./page.ts";
import type { Documents } from "./pdf.ts";
import type { Programs } from "./program.ts";
import type { Refusal } from "./refusal.ts";
import type { PastResults } from "./results.ts";
import type { Root } from "./root.ts";
import type { Shell, ShellLimits } from "./shell.ts";

/** Read-only views of what the layers above a tool know. Later tools add theirs: the ledger, commitments. */
export interface Ports {
  /** What this session has been shown of a file, by its real path. */
  seen(file: string): readonly SeenRange[];
  /** The rule that hides this real path from reading, if one does. */
  withholds(file: string): string | undefined;
  /** Keeps the old bytes of a file that is about to change; absent where nobody keeps them. What it throws stops the change. */
  keepOldBytes?(file: string, bytes: Uint8Array): void;
  /** The real paths of all files that this session has been shown something of. */
  seenFiles(): readonly string[];
  /** Absent where no other program may be started. */
  readonly programs?: Programs;
  /** Absent where no command may be run. */
  readonly shell?: Shell;
  /** Makes pages of HTML readable; absent where no other program may be started. */
  readonly pages?: Pages;
  /** Reads PDF documents; absent where no other program may be started. */
  readonly documents?: Documents;
  /** Absent where nothing may be fetched. */
  readonly network?: Network;
  /** Whether the call that runs now may connect, hop by hop; absent where nobody asks. */
  connects?(): MayConnect;
  /** Absent where no page may be visited. */
  readonly browser?: Browser;
  /** What earlier calls gave; absent outside of a session. */
  readonly results?: PastResults;
  /** What the agent owes, to be looked at; absent where the session has no commitments. */
  readonly commitments?: CommitmentReader;
}

/** The options of a toolset that tools act on. */
export interface ToolOptions {
  /** As the option. */
  readonly overwriteUnread: boolean;
  /** As the option. */
  readonly strictEdits: boolean;
  /** As the option. */
  readonly ripgrep: "auto" | "always" | "never";
  /** Of `shell`, what bounds commands. */
  readonly shell: ShellLimits;
}

/** How tools are called in this toolset: a hint names only what is mounted. */
export interface MountedNames {
  /** The name under which a tool is mounted, or undefined where it is not. */
  name(bare: string): string | undefined;
  /** `file_read {"path":"a.ts","offset":12}`, or undefined where the tool is not mounted. */
  suggest(bare: string, args: Readonly<Record<string, unknown>>): string | undefined;
}

/** What a tool of haft's is given besides its arguments. */
export interface ToolContext {
  readonly root: Root;
  /** The directory that relative paths start from; the root, unless a surface says otherwise. Real path. */
  readonly cwd: string;
  /** Aborted when the host cancels this call. */
  readonly signal: AbortSignal;
  readonly limits: Limits;
  readonly options: ToolOptions;
  readonly names: MountedNames;
  readonly agentId: string;
  readonly sessionId: string;
  readonly ports: Ports;
  /** Asked before each connection that the call makes; absent where nobody asks. */
  readonly mayConnect?: MayConnect;
  /** The resolved place of a path argument that `access` declared. */
  place(argument: string): Place;
  /** Tells the host how far the call is. */
  progress(text: string): void;
  /** Runs another mounted or unmounted tool of the catalogue on already resolved places: `read` of a directory is `list`. */
  delegate(bare: string, args: Readonly<Record<string, unknown>>): Promise<DelegateResult>;
}

export type DelegateResult = import("./output.ts").Done<unknown> | Refusal;
