/**
 * Owns the words with which the worker asks for a command: the tool's request, and what the host adds to it.
 * Leaves running it to commands.ts. Rule: whatever depends on the host is decided there and sent along.
 */
import type { CommandRequest } from "../contract/shell.ts";
import type { FenceArguments } from "./confine/supervise.ts";

export interface LocalCommand extends CommandRequest {
  /** All that the command sees, the marker apart. */
  readonly environment: Readonly<Record<string, string>>;
  /** Real path. */
  readonly bash: string;
  /** What confines it; absent where nothing does. */
  readonly fence?: FenceArguments;
}
