/**
 * Owns running something without the powers of root, which no permission stops.
 * Leaves skipping to the tests. Rule: the powers come back whatever happens.
 */

import { WHERE } from "./where-tools-run.ts";

/** The system's `nobody`. */
const PLAIN_USER = 65_534;

/**
 * Whether this process is, or can for a while be, a user whom permissions stop. Root that plays another user puts up no
 * fence: the driver takes it for a program that was given powers. There these tests have to be run by a plain user.
 */
const canPlay = WHERE.confine === undefined || process.getuid?.() !== 0;
export const canBePlainUser = process.platform !== "win32" && canPlay;
if (!canPlay)
  console.warn("what permissions stop is skipped: root cannot play a plain user where it confines");

/** Runs `act` as a plain user. */
export async function runAsPlainUser<T>(act: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return act();
  process.setegid?.(PLAIN_USER);
  process.seteuid?.(PLAIN_USER);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

/** Bash that gives what stands in the working directory to the plain user, where root makes the fixture. */
export const GIVE_AWAY =
  process.getuid?.() === 0 ? `chown -R ${PLAIN_USER}:${PLAIN_USER} . && chmod 755 . ..` : ":";
