/**
 * Owns the story of the demo: which calls are made, why, and what each must answer.
 * Leaves making and printing them to run-demo.ts. Rule: every call is one that a model would make.
 */

export interface DemoStep {
  /** What the model is about to do, in one line. */
  readonly why: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The refusal that must come; absent where the call must succeed. */
  readonly refusal?: string;
  /** What the answer must contain. */
  readonly contains: readonly string[];
}

const BUG = "    sum += item.price;";
const FIX = "    sum += item.price * item.quantity;";

/** What the server is started with, so that the tests of the sample may be run without asking. */
export const DEMO_RULE = "runs(node --test)";

export const DEMO_STEPS: readonly DemoStep[] = [
  {
    why: "Run the tests, as the person who started the server allows. They fail.",
    tool: "bash",
    args: { command: "node --test" },
    refusal: "command-failed",
    contains: ["exit code 1", "the total counts every piece"],
  },
  {
    why: "Look around. Folders that no search should enter are named, not walked.",
    tool: "list",
    args: { depth: 2 },
    contains: ["src/", "basket.js", "CHANGES.txt"],
  },
  {
    why: "Find where prices are added up.",
    tool: "grep",
    args: { pattern: "sum \\+= ", glob: "src/**" },
    contains: ["src/basket.js", "5:", "14:"],
  },
  {
    why: "Read the file. The line numbers are those that grep gave.",
    tool: "read",
    args: { path: "src/basket.js" },
    contains: ["src/basket.js: 17 lines", `5\t${BUG}`],
  },
  {
    why: "Repair it in haste: the line stands there twice, so nothing is changed.",
    tool: "edit",
    args: { path: "src/basket.js", edits: [{ old_text: BUG, new_text: FIX }] },
    refusal: "edit-ambiguous",
    contains: ["5", "14"],
  },
  {
    why: "Both places are wrong: say so.",
    tool: "edit",
    args: { path: "src/basket.js", edits: [{ old_text: BUG, new_text: FIX, replace_all: true }] },
    contains: ["src/basket.js", `+${FIX}`],
  },
  {
    why: "Read the repaired lines.",
    tool: "read",
    args: { path: "src/basket.js", offset: 4, limit: 3 },
    contains: [`5\t${FIX}`],
  },
  {
    why: "Note the change in a file with Windows line endings. They stay.",
    tool: "edit",
    args: {
      path: "CHANGES.txt",
      edits: [{ old_text: "- first version\n", new_text: "- first version\n- quantities count\n" }],
    },
    contains: ["CHANGES.txt"],
  },
  {
    why: "Run the tests again.",
    tool: "bash",
    args: { command: "node --test" },
    contains: ["exit code 0", "pass 2"],
  },
  {
    why: "Try a command that nobody allowed.",
    tool: "bash",
    args: { command: "npm publish" },
    refusal: "permission-denied",
    contains: ["--allow 'runs(npm publish)'"],
  },
  {
    why: "Try a path outside the root.",
    tool: "read",
    args: { path: "../secrets.txt" },
    refusal: "path-outside-root",
    contains: ["outside the root"],
  },
];
