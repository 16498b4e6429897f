/**
 * Owns whether `haft doctor` finds a browser, and what is wrong with one that was named.
 * Leaves looking to process/. Rule: looks and never runs it.
 */
import { findBrowser, type WrongBrowser } from "../../../worker/look-for-programs.ts";
import type { Finding } from "./findings.ts";

/** `root` is a real path. */
export function findPageBrowser(root: string): Finding {
  const found = findBrowser({ root, host: process.env });
  return {
    name: "browser",
    found: "program" in found,
    detail: "program" in found ? found.program : describeNone(found),
    costs: "browse refuses; webfetch reads pages that need no JavaScript",
    required: false,
  };
}

function describeNone({ tried, wrong }: { tried: readonly string[]; wrong?: WrongBrowser }): string {
  return wrong === undefined
    ? `none of ${tried.join(", ")}; HAFT_BROWSER names another`
    : `${wrong.by} names ${wrong.value}, and ${wrong.reason}`;
}
