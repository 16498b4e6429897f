/**
 * Owns a bound in bytes as descriptions say it. Leaves sizes of what was found to those who measure.
 * Rule: exact; whole KiB where it is a number of them.
 */
export function showBytes(bytes: number): string {
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}
