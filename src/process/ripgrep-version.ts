/**
 * Owns telling from what a program says of itself whether it is a ripgrep that we can use.
 * Leaves asking it to programs.ts. Rule: 13.0.0 and later; before, a byte order mark of UTF-8 was part of the first line.
 */
const LOWEST_MAJOR = 13;

export const VERSION_ARGUMENTS = ["--no-config", "--version"] as const;

/** `ripgrep 13.0.0` is the first line that each version prints. */
export function isUsableRipgrep(printed: string): boolean {
  const version = /^ripgrep (\d+)\.\d+\.\d+/.exec(printed);
  return version !== null && Number(version[1]) >= LOWEST_MAJOR;
}
