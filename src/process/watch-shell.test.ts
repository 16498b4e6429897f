/**
 * Owns the tests of what is learnt from an ending shell, and of asking bash for syntax. Rule: a real bash.
 */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRealCommands } from "../../test/support/real-commands.ts";
import { parseFault } from "./check-syntax.ts";

let at: ReturnType<typeof openRealCommands>;
beforeEach(() => {
  at = openRealCommands();
  mkdirSync(join(at.cwd, "sub"));
});
afterEach(() => at.close());
const watch = { stages: true, directory: true };
const watched = (command: string) => at.ended(command, { watch });

describe("an ending shell", () => {
  it("tells the statuses of its last pipeline", async () => {
    expect((await watched("true; false | (exit 4) | true")).stages).toEqual([1, 4, 0]);
    expect((await watched("false | true | exit 3")).stages).toEqual([1, 0, 3]);
    expect((await watched("set -eo pipefail; false | true; echo no")).stages).toEqual([1, 0]);
  });

  it("tells the folder where that is another one", async () => {
    expect((await watched("cd sub; true")).directory).toBe(join(at.cwd, "sub"));
    expect((await watched("cd sub; cd ..")).directory).toBeUndefined();
    expect((await watched("cd sub; exit 3")).directory).toBe(join(at.cwd, "sub"));
  });

  it.each([
    "trap 'echo mine' EXIT; cd sub; false | true",
    "cd sub; exec true",
    "trap 'echo d' DEBUG; cd sub; false | true",
  ])("tells nothing where the command has that place for itself: %s", async (command) => {
    const end = await watched(command);
    expect([end.stages, end.directory]).toEqual([undefined, undefined]);
  });

  it.each([
    "set -x; cd sub; false",
    "set -eu; cd sub; nope_x | true; echo $LINENO; false",
    "nope_x\nnope_y; echo $LINENO $?",
    "printf() { echo mine; }; printf; exit 9",
    "cat <<X\na\nX\nfalse",
    "# nothing",
    "",
    "(exit 5)",
    "sleep 0.1 & wait",
    "trap 'echo d' DEBUG; true",
    "set -C; umask 777; false",
    "kill -TERM $$",
    'rm -rf "$TMPDIR"; true',
  ])("prints and ends as without being watched: %s", async (command) => {
    const bare = await at.ended(command);
    mkdirSync(join(at.cwd, "sub"), { recursive: true });
    const { out, err, exit } = await watched(command);
    expect({ out, err, exit }).toEqual({ out: bare.out, err: bare.err, exit: bare.exit });
  });

  it("leaves no file and gives no descriptor to what it starts", async () => {
    const end = await watched("ls /proc/self/fd | wc -l");
    expect(end.out).toBe((await at.ended("ls /proc/self/fd | wc -l")).out);
    expect(readdirSync(at.cwd)).toEqual(["sub"]);
  });

  it.each([
    ["a FIFO", "mkfifo $f"],
    ["a link to an endless file", "ln -s /dev/zero $f"],
    ["more than a report", "head -c 100000 /dev/zero >$f"],
    ["a folder", "mkdir $f"],
  ])(
    "learns nothing, and waits for nothing, where the command has put %s in place of its report",
    async (_what, put) => {
      const find = `f=$(tr '\\0' '\\n' </proc/$$/cmdline | grep -o "/[^ ']*haft-[0-9a-f-]*" | head -1)`;
      const end = await watched(`${find}; ${put} && trap - EXIT && echo $f; cd sub`);
      expect(end.out).toMatch(/haft-/);
      expect([end.stages, end.directory]).toEqual([undefined, undefined]);
    },
  );

  it("ends as it did where a long command has put a folder in place of its text", async () => {
    const find = `f=$(tr '\\0' '\\n' </proc/$$/cmdline | grep -o "/[^ ']*haft-[0-9a-f-]*.sh" | head -1)`;
    const end = await at.ended(`: ${"x".repeat(130_000)}\n${find}; rm $f && mkdir $f && echo made`);
    expect([end.out, end.exit]).toEqual(["made\n", { kind: "exited", code: 0 }]);
  });
});

describe("asking bash for syntax", () => {
  it("tells what is wrong and where, and runs nothing", async () => {
    const end = await at.run("touch ran\nfoo )", { checkSyntax: true });
    expect(end).toEqual({
      kind: "syntax-error",
      message: "syntax error near unexpected token `)'",
      line: 2,
    });
    expect(existsSync(join(at.cwd, "ran"))).toBe(false);
  });

  it("runs what bash reads", async () => {
    expect((await at.ended("echo $((1+1)); [[ a =~ ^a$ ]]", { checkSyntax: true })).out).toBe("2\n");
    expect((await at.ended("cat <<X\nopen", { checkSyntax: true })).out).toBe("open\n");
  });

  it("tells of a text that is longer than an argument, too", async () => {
    const end = await at.run(`: ${"x".repeat(200_000)}\nif true; then`, { checkSyntax: true });
    expect(end).toMatchObject({ kind: "syntax-error" });
  });

  it("passes over warnings", () => {
    expect(
      parseFault("bash: -c: line 3: warning: here-document\nbash: -c: line 4: syntax error: x\n"),
    ).toEqual({
      kind: "syntax-error",
      message: "syntax error: x",
      line: 4,
    });
  });
});
