/**
 * Owns calls in the exact argument shapes of other agents' file tools, and which of ours each foreign name is mapped to.
 * Leaves making them to recorded-calls.test.ts. Rule: shapes are kept as those tools declare them, habits included.
 */
import { SHELL_AGENTS } from "./shell-recordings.ts";

export interface Recording {
  /** The foreign tool. */
  readonly name: string;
  /** Ours. */
  readonly tool: string;
  /** `ROOT` in a string stands for the absolute root, as those tools ask for absolute paths. */
  readonly args: Readonly<Record<string, unknown>>;
  /** What the answer must contain. */
  readonly shows?: readonly string[];
  /** What the answer must not contain. */
  readonly hides?: readonly string[];
  /** Files with the text that they must hold afterwards. */
  readonly leaves?: Readonly<Record<string, string>>;
  /** Arguments that we have no use for: named in a note, so that nothing is ignored silently. */
  readonly notes?: readonly string[];
}

export interface Agent {
  readonly agent: string;
  /** Foreign name → ours. */
  readonly mapping: Readonly<Record<string, string>>;
  readonly recordings: readonly Omit<Recording, "tool">[];
}

/** The tree that every recording runs in. */
export const RECORDING_FIXTURE = String.raw`
mkdir -p src/lib docs
printf 'import x from "y";\n\nexport function add(a, b) {\n  return a + b;\n}\n\nexport function sub(a, b) {\n  return a - b;\n}\n' > src/math.ts
printf 'one two one\n' > src/lib/words.ts
printf '# Title\n\nTODO write\n' > docs/readme.md
printf 'TODO fix\ntodo later\n' > src/todo.ts
seq 1 40 > numbers.txt
`;

const CLAUDE_CODE: Agent = {
  agent: "Claude Code",
  mapping: {
    Read: "read",
    Edit: "edit",
    MultiEdit: "edit",
    Write: "write",
    Glob: "glob",
    Grep: "grep",
    LS: "list",
  },
  recordings: [
    { name: "Read", args: { file_path: "ROOT/src/math.ts" }, shows: ["3\texport function add(a, b) {"] },
    {
      name: "Read",
      args: { file_path: "ROOT/numbers.txt", offset: 10, limit: 3 },
      shows: ["10\t10", "12\t12"],
      hides: ["13\t13"],
    },
    {
      name: "Edit",
      args: { file_path: "ROOT/docs/readme.md", old_string: "TODO write", new_string: "Done" },
      leaves: { "docs/readme.md": "# Title\n\nDone\n" },
    },
    {
      name: "Edit",
      args: { file_path: "ROOT/src/lib/words.ts", old_string: "one", new_string: "1", replace_all: true },
      leaves: { "src/lib/words.ts": "1 two 1\n" },
    },
    {
      name: "Edit",
      args: { replace_all: false, file_path: "ROOT/src/lib/words.ts", old_string: "two", new_string: "2" },
      leaves: { "src/lib/words.ts": "one 2 one\n" },
    },
    {
      name: "MultiEdit",
      args: {
        file_path: "ROOT/src/lib/words.ts",
        edits: [
          { old_string: "two", new_string: "2" },
          { old_string: "one", new_string: "1", replace_all: true },
        ],
      },
      leaves: { "src/lib/words.ts": "1 2 1\n" },
    },
    {
      name: "Write",
      args: { file_path: "ROOT/new/deep/file.txt", content: "hello\n" },
      leaves: { "new/deep/file.txt": "hello\n" },
    },
    { name: "Glob", args: { pattern: "**/*.ts" }, shows: ["src/math.ts", "src/lib/words.ts"] },
    { name: "Glob", args: { pattern: "*.md", path: "ROOT/docs" }, shows: ["docs/readme.md"] },
    {
      name: "Grep",
      args: { pattern: "TODO", output_mode: "files_with_matches" },
      shows: ["docs/readme.md", "src/todo.ts"],
    },
    {
      name: "Grep",
      args: { pattern: "todo", path: "ROOT/src", output_mode: "content", "-n": true, "-i": true },
      shows: ["1:TODO fix", "2:todo later"],
    },
    {
      name: "Grep",
      args: { pattern: "return", glob: "*.ts", output_mode: "content", "-B": 1, "-A": 1, head_limit: 10 },
      shows: ["3-export function add(a, b) {", "4:  return a + b;", "5-}"],
    },
    {
      name: "Grep",
      args: { pattern: "return a - b", output_mode: "content", "-C": 2 },
      shows: ["8:  return a - b;", "7-export function sub(a, b) {"],
    },
    { name: "Grep", args: { pattern: "TODO", output_mode: "count" }, shows: ["docs/readme.md"] },
    {
      name: "Grep",
      args: { pattern: "add\\(a, b\\) \\{\\n  return", multiline: true, output_mode: "content" },
      shows: ["3:export function add(a, b) {"],
    },
    {
      name: "Grep",
      args: { pattern: "TODO", type: "ts", output_mode: "content" },
      shows: ["1:TODO fix"],
      notes: ["type"],
    },
    { name: "LS", args: { path: "ROOT" }, shows: ["docs/", "src/", "numbers.txt"] },
    { name: "LS", args: { path: "ROOT/src", ignore: ["*.md"] }, shows: ["lib/"], notes: ["ignore"] },
  ],
};

const PI: Agent = {
  agent: "pi",
  mapping: { read: "read", edit: "edit", write: "write", ls: "list", grep: "grep", find: "glob" },
  recordings: [
    { name: "read", args: { path: "src/math.ts" }, shows: ["4\t  return a + b;"] },
    { name: "read", args: { path: "numbers.txt", offset: 39, limit: 10 }, shows: ["39\t39", "40\t40"] },
    {
      name: "edit",
      args: { path: "src/lib/words.ts", oldText: "two", newText: "2" },
      leaves: { "src/lib/words.ts": "one 2 one\n" },
    },
    {
      name: "edit",
      args: {
        path: "src/math.ts",
        edits: [
          { oldText: "return a + b;", newText: "return b + a;" },
          { oldText: 'import x from "y";\n\n', newText: "" },
        ],
      },
      shows: ["+  return b + a;"],
    },
    { name: "write", args: { path: "a/b.txt", content: "x" }, leaves: { "a/b.txt": "x" } },
    { name: "ls", args: {}, shows: ["docs/", "src/"] },
    { name: "ls", args: { path: "src", limit: 500 }, shows: ["lib/", "math.ts"], notes: ["limit"] },
    {
      name: "grep",
      args: { pattern: "TODO", path: "src", glob: "*.ts", literal: true, context: 1, limit: 50 },
      shows: ["1:TODO fix", "2-todo later"],
    },
    { name: "grep", args: { pattern: "TODO", ignoreCase: true }, shows: ["1:TODO fix"] },
    { name: "find", args: { pattern: "*.ts", path: "src" }, shows: ["src/math.ts"] },
    { name: "find", args: { pattern: "**/*.md", limit: 1000 }, shows: ["docs/readme.md"], notes: ["limit"] },
  ],
};

const OPENCODE: Agent = {
  agent: "opencode",
  mapping: { read: "read", edit: "edit", write: "write", list: "list", glob: "glob", grep: "grep" },
  recordings: [
    { name: "read", args: { filePath: "ROOT/src/math.ts" }, shows: ["1\timport x"] },
    { name: "read", args: { filePath: "ROOT/numbers.txt", offset: 5, limit: 2 }, shows: ["5\t5", "6\t6"] },
    {
      name: "edit",
      args: { filePath: "ROOT/src/lib/words.ts", oldString: "two", newString: "2" },
      leaves: { "src/lib/words.ts": "one 2 one\n" },
    },
    {
      name: "edit",
      args: { filePath: "ROOT/src/lib/words.ts", oldString: "one", newString: "1", replaceAll: true },
      leaves: { "src/lib/words.ts": "1 two 1\n" },
    },
    {
      name: "write",
      args: { content: "hello\n", filePath: "ROOT/made.txt" },
      leaves: { "made.txt": "hello\n" },
    },
    { name: "list", args: { path: "ROOT", ignore: ["docs/"] }, shows: ["src/"], notes: ["ignore"] },
    { name: "glob", args: { pattern: "src/**/*.ts" }, shows: ["src/lib/words.ts"] },
    { name: "glob", args: { pattern: "*.ts", path: "ROOT/src" }, shows: ["src/math.ts"] },
    {
      name: "grep",
      args: { pattern: "TODO\\s+\\w+", path: "ROOT", include: "*.{ts,tsx}" },
      shows: ["src/todo.ts", "1:TODO fix"],
      hides: ["readme.md"],
    },
  ],
};

const GEMINI_CLI: Agent = {
  agent: "gemini-cli",
  mapping: {
    read_file: "read",
    replace: "edit",
    write_file: "write",
    list_directory: "list",
    glob: "glob",
    search_file_content: "grep",
  },
  recordings: [
    { name: "read_file", args: { absolute_path: "ROOT/src/math.ts" }, shows: ["3\texport function add"] },
    {
      name: "read_file",
      args: { file_path: "src/math.ts", start_line: 3, end_line: 5 },
      shows: ["3\texport", "5\t}"],
      hides: ["2\t", "7\texport"],
    },
    { name: "read_file", args: { absolute_path: "ROOT/numbers.txt", offset: 3, limit: 2 }, shows: ["4\t4"] },
    {
      name: "replace",
      args: {
        file_path: "ROOT/src/lib/words.ts",
        instruction: "Use a digit for the second word.",
        old_string: "two",
        new_string: "2",
      },
      leaves: { "src/lib/words.ts": "one 2 one\n" },
    },
    {
      name: "replace",
      args: {
        file_path: "ROOT/src/lib/words.ts",
        old_string: "two",
        new_string: "2",
        expected_replacements: 1,
      },
      leaves: { "src/lib/words.ts": "one 2 one\n" },
    },
    {
      name: "replace",
      args: {
        file_path: "ROOT/src/lib/words.ts",
        old_string: "one",
        new_string: "1",
        expected_replacements: 2,
      },
      leaves: { "src/lib/words.ts": "1 two 1\n" },
    },
    {
      name: "replace",
      args: {
        file_path: "src/lib/words.ts",
        instruction: "Digits",
        old_string: "one",
        new_string: "1",
        allow_multiple: true,
      },
      leaves: { "src/lib/words.ts": "1 two 1\n" },
    },
    {
      name: "write_file",
      args: { file_path: "ROOT/made.txt", content: "hello\n" },
      leaves: { "made.txt": "hello\n" },
    },
    { name: "list_directory", args: { path: "ROOT" }, shows: ["docs/", "src/"] },
    {
      name: "list_directory",
      args: { dir_path: "src", ignore: ["*.log"], file_filtering_options: { respect_git_ignore: true } },
      shows: ["lib/", "math.ts"],
      notes: ["ignore", "file_filtering_options"],
    },
    {
      name: "glob",
      args: { pattern: "**/*.ts", case_sensitive: false, respect_git_ignore: true },
      shows: ["src/math.ts"],
      notes: ["respect_git_ignore"],
    },
    { name: "glob", args: { pattern: "*.md", dir_path: "docs" }, shows: ["docs/readme.md"] },
    {
      name: "search_file_content",
      args: { pattern: "function\\s+add", path: "ROOT/src", include: "**/*.ts" },
      shows: ["3:export function add(a, b) {"],
    },
    {
      name: "search_file_content",
      args: { pattern: "todo", dir_path: "src", case_sensitive: true },
      shows: ["2:todo later"],
      hides: ["1:TODO fix"],
    },
  ],
};

const TEXT_EDITOR: Agent = {
  agent: "Anthropic's text editor",
  mapping: { view: "read", create: "write", str_replace: "edit" },
  recordings: [
    { name: "view", args: { command: "view", path: "ROOT/src/math.ts" }, shows: ["3\texport function add"] },
    {
      name: "view",
      args: { command: "view", path: "ROOT/numbers.txt", view_range: [11, 13] },
      shows: ["11\t11", "13\t13"],
      hides: ["10\t10", "14\t14"],
    },
    {
      name: "view",
      args: { command: "view", path: "ROOT/numbers.txt", view_range: [38, -1] },
      shows: ["38\t38", "40\t40"],
      hides: ["37\t37"],
    },
    { name: "view", args: { command: "view", path: "ROOT/src" }, shows: ["lib/", "math.ts"] },
    {
      name: "create",
      args: { command: "create", path: "ROOT/made/new.txt", file_text: "hello\n" },
      leaves: { "made/new.txt": "hello\n" },
    },
    {
      name: "str_replace",
      args: { command: "str_replace", path: "ROOT/src/lib/words.ts", old_str: "two", new_str: "2" },
      leaves: { "src/lib/words.ts": "one 2 one\n" },
    },
  ],
};

export const AGENTS: readonly Agent[] = [CLAUDE_CODE, PI, OPENCODE, GEMINI_CLI, TEXT_EDITOR, ...SHELL_AGENTS];

export const RECORDINGS: readonly (Recording & { readonly agent: string })[] = AGENTS.flatMap(
  ({ agent, mapping, recordings }) =>
    recordings.map((recording) => ({ ...recording, agent, tool: mapping[recording.name] ?? "unmapped" })),
);
