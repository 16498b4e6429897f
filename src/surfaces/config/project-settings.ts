/**
 * Owns what a project's file means beside what the person gave: trusted or not, narrowing, and what is wrong in it.
 * Leaves the file to project-file.ts, narrowing itself to narrow.ts. Rule: what the file says wrongly where it would
 * narrow stops, since a rule that denies and is misspelt would protect nothing; what cannot be in force is named.
 */
import { join } from "node:path";
import type { z } from "zod";
import { OptionsError } from "../../contract/errors.ts";
import { parseRule } from "../../permission/rule.ts";
import { openRoot } from "../../root/open-root.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { describeIssue } from "./describe-issue.ts";
import { listWideningKeys, pickNarrowing } from "./narrow.ts";
import { PROJECT_FILE } from "./places.ts";
import { type ProjectFile, readProjectFile } from "./project-file.ts";
import { PROJECT_SCHEMA, type ProjectSettings, type Settings } from "./schema.ts";
import { SENTENCE_MAX, showSafely } from "./show-safely.ts";
import { siftKeys } from "./unknown-keys.ts";

export interface Project {
  readonly file: ProjectFile;
  /** What of it may be looked at: everything where it is trusted, else what may narrow. */
  readonly settings: ProjectSettings;
  readonly trust: "trusted" | "changed" | "untrusted";
  /** What widens whatever its value, and is not in force: empty where the file is trusted. */
  readonly widening: readonly string[];
  /** Keys that no version knows, each with the nearest one. */
  readonly unknown: readonly string[];
}

/** Reads the project's file of a root. Throws for what would narrow, or may, and cannot be understood. */
export function readProject(root: string, trustedHash: string | undefined): Project {
  const file = readProjectFile(root);
  if (file.kind === "broken")
    throw new ConfigurationError(
      `${join(root, PROJECT_FILE)} cannot be followed: ${file.why}. Repair or remove it: what it denies would not be denied`,
    );
  if (file.kind !== "read") return { file, settings: {}, trust: "untrusted", widening: [], unknown: [] };
  const trust = trustedHash === undefined ? "untrusted" : trustedHash === file.hash ? "trusted" : "changed";
  const { kept, unknown } = siftKeys(file.value, PROJECT_SCHEMA);
  const looked = trust === "trusted" ? kept : pickNarrowing(kept as Readonly<Record<string, unknown>>);
  const settings = checkSettings(join(root, PROJECT_FILE), looked, PROJECT_SCHEMA);
  checkRules({ rules: settings.rules, root, file: join(root, PROJECT_FILE), above: "" });
  const widening = trust === "trusted" ? [] : listWideningKeys(kept as Readonly<Record<string, unknown>>);
  return { file, settings, trust, widening, unknown };
}

function checkSettings<T>(file: string, value: unknown, schema: z.ZodType<T>): T {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  throw new ConfigurationError(
    `${file} is not as it should be: ${showSafely(describeIssue(error, value), SENTENCE_MAX)}`,
  );
}

/** A rule that is none is an error here, where the file can still be named. */
export function checkRules(of: {
  readonly rules: Settings["rules"];
  readonly root: string;
  readonly file: string;
  /** Where the rules stand in the file. */
  readonly above: string;
}): void {
  const { rules = {}, root, file, above } = of;
  const lists = (["allow", "ask", "deny"] as const).filter((list) => (rules[list] ?? []).length > 0);
  if (lists.length === 0) return;
  const context = { root: openRoot({ root }), tools: [] };
  for (const list of lists)
    for (const [index, text] of (rules[list] ?? []).entries()) {
      try {
        parseRule({ text, list, option: `${above}rules.${list}[${index}]`, context });
      } catch (error) {
        if (error instanceof OptionsError)
          throw new ConfigurationError(`${file}: ${showSafely(error.message, SENTENCE_MAX)}`);
        throw error;
      }
    }
}
