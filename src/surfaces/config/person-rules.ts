/**
 * Owns the rules that a person keeps for a root: in their own configuration, never below the root.
 * Leaves the file to person-file.ts, what a rule means to permission/.
 */
import { changeRootEntry, readPersonFile, realOf } from "./person-file.ts";
import { configurationPath } from "./places.ts";

export { configurationPath } from "./places.ts";

export interface RuleLists {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** The person's rules for every root and those for this one. Throws where the file cannot be understood. */
export function readPersonRules(root: string, path = configurationPath()): RuleLists {
  const configuration = readPersonFile(path);
  const lists = [configuration.rules, configuration.roots?.[realOf(root)]?.rules];
  const gather = (name: keyof RuleLists) => lists.flatMap((list) => list?.[name] ?? []);
  return { allow: gather("allow"), ask: gather("ask"), deny: gather("deny") };
}

/** Adds one rule to those that allow in this root. Saying it twice is saying it once. */
export function savePersonRule(root: string, rule: string, path = configurationPath()): Promise<void> {
  return changeRootEntry({
    root,
    path,
    change(entry) {
      const allow = entry.rules?.allow ?? [];
      if (allow.includes(rule)) return undefined;
      return { ...entry, rules: { ...entry.rules, allow: [...allow, rule] } };
    },
  });
}
