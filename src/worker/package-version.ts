/**
 * Owns the version of this package, as a host and its worker compare it. Leaves the number to package.json.
 * Rule: an upgrade under a running host is noticed, not worked with.
 */
import { createRequire } from "node:module";

export function readPackageVersion(): string {
  return (createRequire(import.meta.url)("../../package.json") as { version: string }).version;
}
