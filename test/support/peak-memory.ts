/**
 * Owns measuring how far the resident memory of this process rises while something runs (Linux).
 * Leaves the bound to the tests. Rule: the peak is the kernel's own, so that a rise between two samples counts too.
 */
import { readFileSync, writeFileSync } from "node:fs";

const readStatus = (field: string): number => {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) * 1024;
};

/** The bytes by which resident memory rose above its level at the start, at its highest. */
export async function measureRise(work: () => Promise<void>): Promise<number> {
  // "5" makes the peak start again from the present level (proc(5), clear_refs).
  writeFileSync("/proc/self/clear_refs", "5");
  const start = readStatus("VmRSS");
  await work();
  return readStatus("VmHWM") - start;
}
