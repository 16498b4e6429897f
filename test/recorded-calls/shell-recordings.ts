/**
 * Owns calls in the exact argument shapes of other agents' shell tools. Leaves files to recordings.ts, making the calls to recorded-calls.test.ts.
 * Rule: shapes are kept as those tools declare them, habits included: some count seconds, some milliseconds.
 */
import type { Agent } from "./recordings.ts";

export const SHELL_AGENTS: readonly Agent[] = [
  {
    agent: "Claude Code",
    mapping: { Bash: "bash" },
    recordings: [
      {
        name: "Bash",
        args: { command: "ls src", description: "List the sources" },
        shows: ["exit code 0\n[stdout]\nlib\nmath.ts\ntodo.ts"],
      },
      {
        name: "Bash",
        args: { command: "sleep 0.2; echo done", timeout: 120_000, description: "Wait" },
        shows: ["exit code 0\n[stdout]\ndone"],
        hides: ["[note]"],
      },
      {
        name: "Bash",
        args: { command: "sleep 0.2; echo done", run_in_background: true, description: "Serve" },
        shows: ["job_1 (sleep 0.2; echo done) started in the background", 'jobs {"id":"job_1"}'],
      },
    ],
  },
  {
    agent: "pi",
    mapping: { bash: "bash" },
    recordings: [
      { name: "bash", args: { command: "wc -l numbers.txt" }, shows: ["40 numbers.txt"] },
      {
        name: "bash",
        args: { command: "sleep 0.2; echo done", timeout: 30 },
        shows: ["exit code 0\n[stdout]\ndone", "timeout 30 was taken as seconds"],
      },
    ],
  },
  {
    agent: "opencode",
    mapping: { bash: "bash" },
    recordings: [
      {
        name: "bash",
        args: { command: "ls", workdir: "ROOT/src", timeout: 120_000, description: "Lists the sources" },
        shows: ["exit code 0\n[stdout]\nlib\nmath.ts\ntodo.ts"],
      },
    ],
  },
  {
    agent: "gemini-cli",
    mapping: { run_shell_command: "bash" },
    recordings: [
      {
        name: "run_shell_command",
        args: { command: "ls", description: "List the sources", dir_path: "src", is_background: false },
        shows: ["exit code 0\n[stdout]\nlib\nmath.ts\ntodo.ts"],
      },
      {
        name: "run_shell_command",
        args: { command: "ls", directory: "src/lib" },
        shows: ["exit code 0\n[stdout]\nwords.ts"],
      },
    ],
  },
  {
    agent: "Codex",
    mapping: { shell_command: "bash" },
    recordings: [
      {
        name: "shell_command",
        args: { command: "rg --files src | sort || ls src", workdir: "ROOT", timeout_ms: 10_000 },
        shows: ["exit code 0"],
      },
    ],
  },
  {
    agent: "Anthropic's bash tool",
    mapping: { bash: "bash" },
    recordings: [{ name: "bash", args: { command: "echo hi" }, shows: ["exit code 0\n[stdout]\nhi"] }],
  },
];
