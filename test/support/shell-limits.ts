/** Owns the limits of commands for contexts that tests make by hand. Rule: the defaults of `mount`. */
import type { ShellLimits } from "../../src/contract/shell.ts";

export const SHELL_LIMITS: ShellLimits = { timeoutMs: 120_000, maxTimeoutMs: 600_000, onTimeout: "kill" };
