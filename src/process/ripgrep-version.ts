/**
 * Owns telling from what a program says of itself whether it is a ripgrep that we can use.
 * Rule: 13.0.0 and later. Older ones leave a byte order mark in front of the first line and have no `--files-without-match`
 * that keeps silent about binary files found by their NUL.
 */
const LOWEST_MAJOR = 13;

export const VERSION_ARGUMENTS = ["--no-config", "--version"] as const;

/** `ripgrep 13.0.0` is the first line that each version prints. */
export function isUsableRipgrep(printed: string): boolean {
  const version = /^ripgrep (\d+)\.\d+\.\d+/.exec(printed);
  return version !== null && Number(version[1]) >= LOWEST_MAJOR;
}
