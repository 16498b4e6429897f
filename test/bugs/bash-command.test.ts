/**
 * Owns the public bug reports about what a command is given, and variations of each, on a real bash: its text, its
 * directory, its environment, its time. Leaves how it ends to bash.test.ts, its output to bash-output.test.ts.
 * Rule: what is wrong with a call is said before anything runs.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's own
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { mount } from "../../src/index.ts";
import { expectRefusal } from "../support/loose-toolset.ts";
import { openWorkspace, type Workspace } from "../support/workspace.ts";

const open = (fixture = "", options: Readonly<Record<string, unknown>> = {}): Workspace =>
  openWorkspace(fixture, { tools: ["bash", "jobs"], ...options });

const outputOf = async (at: Workspace, args: Readonly<Record<string, unknown>>): Promise<string> =>
  (await at.does("bash", args)).content.replace("exit code 0\n[stdout]\n", "");

afterEach(() => vi.unstubAllEnvs());

describe("a working directory (B11)", () => {
  it.each([
    ["nope", "working directory nope does not exist", "path-missing"],
    ["nope/deeper", "working directory nope/deeper does not exist", "path-missing"],
    ["a.txt", "working directory a.txt is not a directory", "path-not-directory"],
    ["a.txt/x", "is not a directory", "path-not-directory"],
    ["..", "is outside the root", "path-outside-root"],
    ["/etc", "is outside the root", "path-outside-root"],
    ["out", "is outside the root", "path-outside-root"],
    ["dangling", "does not exist", "path-missing"],
    ["pipe", "is not a directory", "path-not-directory"],
  ] as const)("that cannot be is told of, and nothing runs: %s", async (cwd, words, code) => {
    const at = open("printf a > a.txt; ln -s /usr out; ln -s nowhere dangling; mkfifo pipe");
    const output = await at.refuses("bash", { command: "touch ran", cwd }, code);
    expect(output.content).toContain(words);
    expect(existsSync(join(at.root, "ran"))).toBe(false);
  });

  it.each([
    ["src", "src"],
    ["./src/../src/", "src"],
    ["link", "src"],
    ["with space", "with space"],
    ["-dash", "-dash"],
    ["$HOME", "$HOME"],
    ["é字😀", "é字😀"],
    ["a'b\"c", "a'b\"c"],
    ["line\nbreak", "line\nbreak"],
  ])("is entered: %j", async (cwd, real) => {
    const at = open("mkdir src; ln -s src link");
    mkdirSync(join(at.root, real), { recursive: true });
    expect(await outputOf(at, { command: "pwd -P", cwd })).toBe(join(at.root, real));
  });

  it("is the root where it is absent, empty or null", async () => {
    const at = open();
    for (const cwd of [undefined, "", null, ".", at.root])
      expect(await outputOf(at, { command: "pwd", cwd })).toBe(at.root);
  });

  it("that the command changed is told of, and not kept", async () => {
    const at = open("mkdir -p src/deep");
    const moved = await at.does("bash", { command: "cd src/deep" });
    expect(moved.content).toBe(
      "exit code 0\n(no output)\n[note] the command ended in src/deep; the next call starts again in the root",
    );
    expect(moved.details.directory).toBe("src/deep");
    expect(await outputOf(at, { command: "pwd" })).toBe(at.root);
    const out = await at.does("bash", { command: "cd /; true" });
    expect(out.content).toContain("the command ended in /;");
    const inside = await at.does("bash", { command: "(cd src); cd src; cd - >/dev/null" });
    expect(inside.content).toBe("exit code 0\n(no output)");
  });

  it("that was removed is no crash", async () => {
    const at = open("mkdir gone");
    const output = await at.call("bash", { command: "rmdir ../gone; pwd >/dev/null; true", cwd: "gone" });
    expect(output.isError).toBe(false);
  });
});

describe("the environment (B13)", () => {
  const SECRETS = [
    "ANTHROPIC_API_KEY",
    "GH_TOKEN",
    "MY_PASSWORD",
    "AWS_SECRET_ACCESS_KEY",
    "NPM_TOKEN",
    "SSH_AUTH_SOCK",
  ]
    .concat([
      "HTTPS_PROXY",
      "https_proxy",
      "NODE_OPTIONS",
      "LD_PRELOAD",
      "PYTHONPATH",
      "BASH_ENV",
      "ENV",
      "npm_config_x",
    ])
    .concat(["DATABASE_URL", "LCX", "XDGX", "PATHX", "BASH_FUNC_ls%%", "PROMPT_COMMAND", "GIT_SSH_COMMAND"]);

  it("holds nothing of the host that is not on the list, in no process below either", async () => {
    for (const name of SECRETS) vi.stubEnv(name, name === "NODE_OPTIONS" ? "--title=zz-1" : "/zz-1");
    const at = open();
    const command = `env; "${process.execPath}" -p 'JSON.stringify(process.env)'; bash -c env; cat /proc/$$/environ /proc/$PPID/environ /proc/$$/cmdline /proc/$PPID/cmdline; ps -A -ww -o args= | grep -c 'zz-[1]'; set`;
    const output = await at.does("bash", { command });
    expect(output.content).not.toContain("zz-1");
    expect(output.content).toMatch(/^PATH=/m);
    expect(output.content).toMatch(/^HOME=/m);
  });

  it("keeps PATH, HOME and LANG, and passes and sets what the host wants", async () => {
    vi.stubEnv("LANG", "C.UTF-8");
    vi.stubEnv("GH_TOKEN", "zz-2");
    const at = open("", {
      shell: { env: { pass: ["GH_TOKEN", "NOT_THERE"], set: { MODE: "a b'c\n\"d$e" } } },
    });
    const command =
      'printf "%s|" "$LANG" "$GH_TOKEN" "${NOT_THERE-unset}" "$MODE" "${PATH:+path}" "${HOME:+home}"';
    expect(await outputOf(at, { command })).toBe("C.UTF-8|zz-2|unset|a b'c\n\"d$e|path|home|");
  });

  it("is fresh in each call", async () => {
    const at = open();
    await at.does("bash", { command: "export A=1; B=2; f() { :; }; alias g=h; umask 077; set -e" });
    expect(await outputOf(at, { command: 'echo "[$A$B]"; type f g 2>/dev/null; echo $-' })).toMatch(
      /^\[\]\n[a-zA-Z]+$/,
    );
  });

  it("lets nothing ask or page", async () => {
    const at = open();
    expect(
      await outputOf(at, {
        command: 'echo "$PAGER|$GIT_TERMINAL_PROMPT|${TERM:-none}"; [ -t 1 ] || echo plain',
      }),
    ).toMatch(/^cat\|0\|\S+\nplain$/);
  });

  it("puts temporary files and caches below the root, where git does not see them", async () => {
    const at = open("git init -q");
    const output = await outputOf(at, {
      command: 'touch "$(mktemp)"; echo "$XDG_CACHE_HOME"; git status --porcelain',
    });
    expect(output).toMatch(/\/\.haft\/scratch\/main\/\S+$/);
  });
});

describe("the time (B15)", () => {
  it.each([
    [{ timeout_ms: 60_000 }, undefined],
    [{ timeout: 60 }, "[note] timeout 60 was taken as seconds"],
    [{ timeout: "60" }, "[note] timeout 60 was taken as seconds"],
    [{ timeout: 60_000 }, undefined],
    [{ timeoutMs: "60000" }, undefined],
    [{ timeout_ms: 1e12 }, "[note] timeout_ms 1000000000000 was lowered to the maximum, 600000 ms"],
    [{ timeout_ms: 600_001 }, "[note] timeout_ms 600001 was lowered to the maximum, 600000 ms"],
    [{ timeout: 1e12 }, "[note] timeout_ms 1000000000000 was lowered to the maximum, 600000 ms"],
    [{ timeout_ms: null }, undefined],
    [{ timeout: null }, undefined],
  ])("has a unit that is never mistaken: %j", async (args, note) => {
    const output = await open().does("bash", { command: "sleep 0.3; echo ok", ...args });
    expect(output.content).toBe(`exit code 0\n[stdout]\nok${note === undefined ? "" : `\n${note}`}`);
  });

  it.each([[{ timeout_ms: 900 }], [{ timeout: 0.9 }]])(
    "below a second is taken as it is: %j",
    async (args) => {
      const output = await open().does("bash", { command: "sleep 0.3; echo ok", ...args });
      expect(output.content).toContain("[stdout]\nok\n");
      expect(output.content).toContain("[note] timeout_ms 900 was taken as 900 milliseconds");
    },
  );

  it.each([
    [{ timeout_ms: 0 }],
    [{ timeout_ms: -5 }],
    [{ timeout: 0 }],
    [{ timeout: -5 }],
    [{ timeout_ms: "soon" }],
    [{ timeout_ms: 1.5 }],
    [{ timeout_ms: Number.NaN }],
    [{ timeout_ms: 1e300 }],
  ])("is refused where it is none: %j", async (args) => {
    const at = open();
    const output = await at.refuses("bash", { command: "touch ran", ...args }, "input-invalid");
    expect(output.content).toContain("timeout_ms");
  });

  it("is told with its unit in the schema and in the description", () => {
    const tools = mount({
      root: open().root,
      tools: ["bash"],
      shell: { timeoutMs: 1_234, maxTimeoutMs: 5_678 },
    });
    const [bash] = tools.definitions();
    expect(bash?.description).toContain("timeout 1234 ms, at most 5678");
    expect(JSON.stringify(bash?.inputSchema)).toContain("Milliseconds");
  });
});

describe("a syntax error", () => {
  it.each([
    ["echo ran > ran\nif true; then", 2],
    ["echo ran > ran\necho 'open", 2],
    ['echo ran > ran\necho "open\necho more', 2],
    ["echo ran > ran\nfor i in a; do", 2],
    ["echo ran > ran\n)", 2],
    ["echo ran > ran\ndone", 2],
    ["echo ran > ran\necho $(ls", 2],
    ["echo ran > ran\nls &&& ls", 2],
    ["echo ran > ran\ncase x in", 2],
    ["echo ran > ran\n{ ls", 2],
    ["echo ran > ran\nf( { }", 2],
    ["echo ran > ran\necho +(a)", 2],
    ["echo ran > ran\n[[ a", 2],
    ["echo ran > ran\nls > ", 2],
    ["echo ran > ran; if", 1],
  ])("is told before anything runs: %j", async (command, line) => {
    const at = open();
    const output = expectRefusal(await at.call("bash", { command }), "command-syntax");
    expect(existsSync(join(at.root, "ran"))).toBe(false);
    expect(output.content).toMatch(/^The command has a syntax error in line \d+: .*No part of it was run\.$/);
    expect((output.refusal.facts as { line: number }).line).toBeGreaterThanOrEqual(line);
  });

  it.each([
    ["cat <<E\nopen", "open"],
    ["echo a{b,c} ${x:-y} $((1+2)) $'a\\tb'", "ab ac y 3 a\tb"],
    ["shopt -s extglob\necho +(a)\necho !(a|b)", "+(a)"],
    ["a=(1 2 3); echo ${a[@]:1} ${#a[@]}", "2 3 3"],
    ["[[ abc =~ ^a(b)c$ ]] && echo ${BASH_REMATCH[1]}", "b"],
    ["f() ( echo sub ); f", "sub"],
    ["cat <(echo p) <<<x", "p"],
    ["select x in a; do break; done; echo s", "\ns"],
    ["coproc cat; echo c", "c"],
    ["case x in (x) echo m;; esac", "m"],
    ["if ((1)); then echo y; fi # )", "y"],
    ["echo `echo \\`echo n\\``", "n"],
    ["time -p true; echo t", "t"],
  ])("is not seen where bash sees none: %j", async (command, text) => {
    const output = await open().does("bash", { command });
    expect(output.content).toContain(`[stdout]\n${text}`);
  });
});

describe("the text of a command", () => {
  it.each([
    ["quotes", `printf '%s|' "a'b" 'c"d' $'e\\'f' "g\\"h"`, `a'b|c"d|e'f|g"h|`],
    ["dollars and backslashes", "printf '%s|' '$&' \"\\$x\" '\\n' '%s'", "$&|$x|\\n|%s|"],
    ["Unicode", "echo 'é字😀\u202e'", "é字😀\u202e"],
    ["a here-document", "cat <<'E'\n$a `b` \\c\n\tx\nE", "$a `b` \\c\n\tx"],
    ["a here-document with tabs", "cat <<-E\n\tone\n\tE\necho two", "one\ntwo"],
    [
      "CRLF",
      "echo a\r\nif true; then\r\n  echo b\r\nfi\r\n",
      "a\nb\n[note] the command's CRLF line endings were taken as LF: bash takes a carriage return for a letter",
    ],
    ["one CR among LF, which stays", "printf '%q\\n' 'a\r\nb'\ntrue", "$'a\\r\\nb'"],
    ["a final backslash", "echo a\\", "a\\"],
    ["an argument that begins with a dash", "echo -- -n", "-- -n"],
    ["a comment at the end", "echo a # b", "a"],
    ["the options of bash", "echo $#-$0", "0-bash"],
  ])("arrives as it is: %s", async (_about, command, text) => {
    expect(await outputOf(open(), { command })).toBe(text);
  });

  it.each([["-c 'echo x'"], ["--version"], ["-"], ["+x"], ["--"]])(
    "is no option of bash where it begins with a dash: %s",
    async (command) => {
      const output = await open().call("bash", { command });
      expect(output.content).not.toMatch(/invalid option|GNU bash|requires an argument/);
      expect(output.content).toContain("command not found");
    },
  );

  it.each([120_000, 131_072, 200_000, 1_000_000])("may have %i characters", async (length) => {
    const at = open();
    const output = await outputOf(at, { command: `x='${"y".repeat(length)}'\necho \${#x}; exit 0` });
    expect(output).toBe(String(length));
  });

  it("may be long and wrong", async () => {
    const at = open();
    const command = `echo ran > ran\n: '${"y".repeat(200_000)}'\nif true; then`;
    expectRefusal(await at.call("bash", { command }), "command-syntax");
    expect(existsSync(join(at.root, "ran"))).toBe(false);
  });

  it("may be long, with a status, a folder and stages to tell of", async () => {
    const at = open("mkdir src");
    const command = `: '${"y".repeat(200_000)}'\ncd src\n(exit 3) | (exit 4)`;
    const output = expectRefusal(await at.call("bash", { command }), "command-failed");
    expect(output.content).toMatch(/^exit code 4[;\n]/);
    expect(output.content).toContain("ended in src");
  });

  it.each([
    ["a NUL", "echo ran > ran; echo a\0b", "NUL", "command-syntax"],
    ["half a character", "echo ran > ran; echo \ud800", "surrogate", "input-invalid"],
  ] as const)("is refused where no shell takes it: %s", async (_about, command, word, code) => {
    const output = await open().refuses("bash", { command }, code);
    expect(output.content).toContain(word);
  });

  it("is needed", async () => {
    const at = open();
    await at.refuses("bash", {}, "input-invalid");
    await at.refuses("bash", { command: "" }, "input-invalid");
    await at.refuses("bash", { command: "true", dry_run: true }, "input-invalid");
  });
});
