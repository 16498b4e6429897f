/**
 * Owns the calls that the pages of the tools show, and making them: in a small tree, through a session of the built
 * package, in the order in which they stand here. Leaves the pages to generate-docs.mjs.
 * Rule: what is shown is what came back, whole. A result is the same each time: nothing in it hangs on the machine.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TREE = {
  "README.md": "# Demo\n\nTODO write\n",
  "src/math.js": "export function add(a, b) {\n  return a - b;\n}\n",
  "src/math.test.js": "// TODO more\n",
  "old/notes.txt": "nobody needs this\n",
};

/** By tool, in order: later calls see what earlier ones did. */
const CALLS = [
  ["list", { depth: 2 }],
  ["glob", { pattern: "**/*.js" }],
  ["grep", { pattern: "todo", ignore_case: true }],
  ["read", { path: "src/math.js" }],
  ["read", { path: "src/maths.js" }],
  ["edit", { path: "src/math.js", edits: [{ old_text: "a - b", new_text: "a + b" }] }],
  ["edit", { path: "src/math.js", edits: [{ old_text: "return a * b", new_text: "return a / b" }] }],
  ["write", { path: "docs/guide.md", content: "# Guide\n" }],
  ["write", { path: "README.md", content: "# Other\n" }],
  ["move", { from: "old/notes.txt", to: "docs/notes.txt" }],
  ["delete", { path: "old", recursive: true }],
  ["bash", { command: "cat README.md; echo 'no more room' >&2; exit 3" }],
  ["bash", { command: "sleep 60", background: true }],
  ["jobs", {}],
  ["jobs", { id: "job_1", action: "stop" }],
  ["webfetch", { url: "http://localhost:8080/" }],
  ["browse", { url: "http://localhost:8080/" }],
  ["recall", {}],
  ["recall", { id: "call_3", grep: "more" }],
  ["commitments", {}],
];

/** What each tool was asked and gave: `{ call, content }`, by its name. */
export async function recordCalls({ openSession }) {
  const root = mkdtempSync(join(tmpdir(), "haft-recorded-"));
  try {
    for (const [path, text] of Object.entries(TREE)) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const session = await openSession({
      ...{ root, ledger: "memory", mode: "full-access", ripgrep: "never" },
      commitments: { enabled: true },
    });
    const recorded = new Map();
    for (const [index, [tool, args]] of CALLS.entries()) {
      const { content } = await session.call(tool, args, { id: `call_${index + 1}` });
      const call = `${tool} ${JSON.stringify(args)}`;
      recorded.set(tool, [...(recorded.get(tool) ?? []), { call, content }]);
    }
    await session.close();
    return recorded;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
