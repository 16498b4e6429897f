/**
 * Owns the other names under which arguments are accepted: models carry habits from other tools.
 * Leaves applying them to apply-aliases.ts.
 * Rule: the table is closed and pinned. Rows stand in order of precedence; the explicit name always wins.
 */

interface Row {
  /** Bare names of our tools, those of later releases included. */
  readonly tools: readonly string[];
  /** What is accepted, in order of precedence. */
  readonly names: readonly string[];
}

export type AliasRow = Row &
  (
    | { readonly rule: "rename"; readonly to: string; readonly values?: Readonly<Record<string, string>> }
    /** True means false. */
    | { readonly rule: "negated"; readonly to: string }
    /** The last line of a range: the limit is end − offset + 1, and −1 means to the end. */
    | { readonly rule: "last-line"; readonly to: "limit" }
    /** First and last line in one array. */
    | { readonly rule: "line-range"; readonly to: "offset" }
    /** Of several numbers the larger. */
    | { readonly rule: "larger"; readonly to: string }
    /** Under 1,000 seconds, else milliseconds. */
    | { readonly rule: "seconds"; readonly to: string }
    /** 1 says what is true anyway; more means `replace_all`, and the count must agree. */
    | { readonly rule: "count"; readonly to: "replace_all" }
    | { readonly rule: "dropped" }
    /** Dropped where the word fits the tool, else refused. */
    | { readonly rule: "must-be"; readonly fits: Readonly<Record<string, string>> }
  );

export const ALIASES: readonly AliasRow[] = [
  {
    rule: "rename",
    to: "path",
    tools: ["read", "list", "glob", "grep", "edit", "write", "delete"],
    names: [
      "file_path",
      "filePath",
      "file",
      "absolute_path",
      "filename",
      "dir",
      "directory",
      "dir_path",
      "target_file",
      "notebook_path",
    ],
  },
  {
    rule: "rename",
    to: "old_text",
    tools: ["edit"],
    names: ["old_string", "oldString", "oldText", "old_str", "search"],
  },
  {
    rule: "rename",
    to: "new_text",
    tools: ["edit"],
    names: ["new_string", "newString", "newText", "new_str", "replace"],
  },
  { rule: "rename", to: "replace_all", tools: ["edit"], names: ["replaceAll", "allow_multiple"] },
  { rule: "rename", to: "offset", tools: ["read"], names: ["start_line", "startLine", "from", "line"] },
  { rule: "line-range", to: "offset", tools: ["read"], names: ["view_range"] },
  { rule: "last-line", to: "limit", tools: ["read"], names: ["end_line", "endLine"] },
  { rule: "rename", to: "limit", tools: ["grep"], names: ["head_limit", "max_results", "maxResults"] },
  { rule: "rename", to: "pattern", tools: ["glob", "grep"], names: ["regex", "query", "search_pattern"] },
  { rule: "rename", to: "glob", tools: ["grep", "list"], names: ["include", "file_pattern"] },
  { rule: "rename", to: "ignore_case", tools: ["grep"], names: ["-i", "case_insensitive"] },
  { rule: "negated", to: "ignore_case", tools: ["grep"], names: ["case_sensitive"] },
  { rule: "rename", to: "context", tools: ["grep"], names: ["-C", "context_lines"] },
  { rule: "larger", to: "context", tools: ["grep"], names: ["-A", "-B"] },
  {
    rule: "rename",
    to: "mode",
    tools: ["grep"],
    names: ["output_mode"],
    values: { files_with_matches: "files" },
  },
  { rule: "dropped", tools: ["grep"], names: ["-n"] },
  { rule: "dropped", tools: ["edit"], names: ["instruction"] },
  { rule: "count", to: "replace_all", tools: ["edit"], names: ["expected_replacements"] },
  {
    rule: "must-be",
    tools: ["read", "edit", "write"],
    names: ["command"],
    fits: { read: "view", edit: "str_replace", write: "create" },
  },
  { rule: "rename", to: "content", tools: ["write"], names: ["contents", "text", "file_text"] },
  { rule: "rename", to: "command", tools: ["bash"], names: ["cmd", "script"] },
  { rule: "rename", to: "timeout_ms", tools: ["bash"], names: ["timeoutMs"] },
  { rule: "seconds", to: "timeout_ms", tools: ["bash"], names: ["timeout"] },
  {
    rule: "rename",
    to: "cwd",
    tools: ["bash"],
    names: ["workdir", "working_directory", "directory", "dir", "dir_path"],
  },
  { rule: "rename", to: "background", tools: ["bash"], names: ["run_in_background", "is_background"] },
  { rule: "rename", to: "url", tools: ["webfetch", "browse"], names: ["uri"] },
  { rule: "rename", to: "from", tools: ["move"], names: ["source", "src", "old_path"] },
  { rule: "rename", to: "to", tools: ["move"], names: ["destination", "dest", "new_path"] },
  { rule: "rename", to: "action", tools: ["jobs"], names: ["op"] },
];

/** Arguments of one entry that may stand at the top level when the list itself is absent. */
export const FOLDS: readonly {
  readonly tool: string;
  readonly into: string;
  readonly names: readonly string[];
}[] = [
  { tool: "edit", into: "edits", names: ["old_text", "new_text", "replace_all", "expected_replacements"] },
];

/** Strings in which the empty one is a value of its own, never an absent argument. */
export const EMPTY_IS_A_VALUE: readonly string[] = ["content", "old_text", "new_text"];

/** Whether a name is commentary that a model adds for the reader. `__proto__` is none: it is an accident or an attack. */
export function isCommentary(name: string): boolean {
  if (name.startsWith("_")) return name !== "__proto__";
  return name === "description" || name === "explanation" || name === "reason";
}
