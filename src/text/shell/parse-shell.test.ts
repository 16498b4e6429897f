/** Owns what is seen of a shell command before it runs, held against a real bash. Leaves deciding by it to permission/. */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseShell } from "./parse-shell.ts";

const wordsOf = (text: string): readonly (readonly string[])[] =>
  parseShell(text).commands.map(({ words }) => words);

describe("parseShell", () => {
  it("reads bare words as the parser does, which two spaces send them to", () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...["true", "cd", "eval", "time", "if", "in", "env", "xargs", "sudo", "exit", "set", "export", "git"],
        ...[
          "-x",
          "--all=yes",
          "A=1",
          "a+=1",
          "1",
          ".",
          ":",
          "@",
          "%1",
          "a,b",
          "x:~",
          "+x",
          "bash",
          "-c",
          "find",
        ],
        ...["-exec", "nohup", "timeout", "5s", "command", "builtin", "coproc", "function", "select", "a@b/c"],
      ),
      fc.stringMatching(/^[\w./:@%+,=-]{1,6}$/),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        expect(parseShell(words.join(" "))).toEqual(parseShell(`${words.join("  ")} `));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ["r\\m x", [["rm", "x"]]],
    ['"r"m x', [["rm", "x"]]],
    ["r''m 'a b'", [["rm", "a b"]]],
    ["$'r\\x6d' $'\\u0061'", [["rm", "a"]]],
    ["r\\\nm x", [["rm", "x"]]],
    ["git log \\*.ts '*.ts' \"a b\"", [["git", "log", "*.ts", "*.ts", "a b"]]],
    ["a; b & c && d || e | f |& g\nh", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"], ["h"]]],
    ["(a; { b; })", [["a"], ["b"]]],
    ["! a; time b; time -p c | d", [["a"], ["b"], ["c"], ["d"]]],
    ["if a; then b; elif c; then d; else e; fi", [["a"], ["b"], ["c"], ["d"], ["e"]]],
    ["while a; do b; done; until c; do d; done", [["a"], ["b"], ["c"], ["d"]]],
    ["case x in a) b;; *) c;; esac", [["b"], ["c"]]],
    ["coproc a", [["a"]]],
    ["[ -f x ] && [[ -f y ]] && a", [["[", "-f", "x", "]"], ["a"]]],
    ["a 2>&1 >/dev/null </dev/null 2>&- # b", [["a"]]],
    ["git show HEAD@{1} stash@{0} -- {}", [["git", "show", "HEAD@{1}", "stash@{0}", "--", "{}"]]],
    ["find . -name x -print", [["find", ".", "-name", "x", "-print"]]],
    ["bash script.sh a", [["bash", "script.sh", "a"]]],
    [
      "node -e 1; python3 -c 1",
      [
        ["node", "-e", "1"],
        ["python3", "-c", "1"],
      ],
    ],
    ["ls ~/x ~root", [["ls", "~/x", "~root"]]],
  ])("sees through %j", (text, words) => {
    expect(parseShell(text)).toMatchObject({ opaque: [], commands: words.map((one) => ({ words: one })) });
  });

  it.each([
    ["echo $(rm x)", "command substitution", ["rm", "x"]],
    ["echo `rm x`", "command substitution", ["rm", "x"]],
    ['echo "a $(rm x) b"', "command substitution", ["rm", "x"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
    ["echo ${a:-$(rm x)}", "command substitution", ["rm", "x"]],
    ["echo $((1 + $(rm x)))", "command substitution", ["rm", "x"]],
    ["((a[$(rm x)]))", "command substitution", ["rm", "x"]],
    ["[[ -f $(rm x) ]]", "command substitution", ["rm", "x"]],
    ["a=$(rm x) b", "command substitution", ["rm", "x"]],
    ["a[$(rm x)]=1", "command substitution", ["rm", "x"]],
    ["cat <(rm x)", "process substitution", ["rm", "x"]],
    ["cat <<E\n$(rm x)\nE", "here-document", ["rm", "x"]],
    ["for i in $(rm x); do a; done", "command substitution", ["rm", "x"]],
    ["case $(rm x) in a) b;; esac", "command substitution", ["rm", "x"]],
    ["f() { rm x; }; f", "function definition", ["rm", "x"]],
    ["function npm { rm x; }; npm test", "function definition", ["rm", "x"]],
    ["eval 'rm x'", "eval", ["rm", "x"]],
    ["eval rm x", "eval", ["rm", "x"]],
    ["trap 'rm x' EXIT", "trap", ["rm", "x"]],
    ["bash -c 'rm x'", "bash -c", ["rm", "x"]],
    ["sh -ec 'rm x'", "sh -c", ["rm", "x"]],
    ["/bin/zsh -c 'rm x'", "zsh -c", ["rm", "x"]],
    ["env A=1 rm x", "env", ["rm", "x"]],
    ["/usr/bin/env -i rm x", "env", ["rm", "x"]],
    ["ls | xargs rm x", "xargs", ["rm", "x"]],
    ["sudo rm x", "sudo", ["rm", "x"]],
    ["sudo -u root rm x", "sudo", ["rm", "x"]],
    ["xargs -I {} rm x", "xargs", ["rm", "x"]],
    ["nohup rm x", "nohup", ["rm", "x"]],
    ["timeout 5 rm x", "timeout", ["rm", "x"]],
    ["nice -n 5 rm x", "nice", ["rm", "x"]],
    ["command rm x", "command", ["rm", "x"]],
    ["\\command rm x", "command", ["rm", "x"]],
    ["exec rm x", "exec", ["rm", "x"]],
    ["builtin eval 'rm x'", "eval", ["rm", "x"]],
    ["find . -exec rm x \\;", "find -exec", ["rm", "x", ";"]],
    ["find . -execdir rm x +", "find -exec", ["rm", "x", "+"]],
    ["sudo bash -c 'eval \"rm x\"'", "eval", ["rm", "x"]],
  ])("finds a command inside of %j, and says that more may be there", (text, why, words) => {
    const parsed = parseShell(text);
    expect(parsed.opaque).toContain(why);
    expect(wordsOf(text)).toContainEqual(words);
  });

  it.each([
    ["$x a", "variable"],
    ["rm $HOME", "variable"],
    ['rm "$HOME/x"', "variable"],
    ["echo $?", "variable"],
    ["PATH=. npm test", "variable"],
    ["x=1", "variable"],
    ["export PATH=.", "variable"],
    ["for PATH in .; do npm test; done", "variable"],
    ["read PATH", "variable"],
    ["printf -v PATH .", "variable"],
    ["{fd}>/dev/null a", "variable"],
    ["rm *", "pattern of file names"],
    ["cat s?crets", "pattern of file names"],
    ["cat [s]ecrets", "pattern of file names"],
    ["cat !(x)", "pattern of file names"],
    ["/bin/r* x", "pattern of file names"],
    ["{rm,-rf,/}", "brace expansion"],
    ["git {push,--force}", "brace expansion"],
    ["echo {1..3}", "brace expansion"],
    ["a > f", "redirection to a path"],
    ["a >> f", "redirection to a path"],
    ["a >| f", "redirection to a path"],
    ["a <> f", "redirection to a path"],
    ["a &> f", "redirection to a path"],
    ["a >& f", "redirection to a path"],
    ["> f", "redirection to a path"],
    ["{ a; } > f", "redirection to a path"],
    ["a > /dev/tcp/h/1", "redirection to a path"],
    ["a < f", "redirection from a path"],
    ["sh <<E\nrm x\nE", "here-document"],
    ["sh <<< 'rm x'", "here-document"],
    ["curl u | sh", "sh without a script file"],
    ["bash -s a", "bash without a script file"],
    ["curl u | python3", "python reading its program from standard input"],
    ["node -", "node reading its program from standard input"],
    ["python3 /dev/stdin", "python reading its program from standard input"],
    ["source f", "source"],
    [". ./f", "source"],
    ["alias ls=rm", "alias"],
    ["hash -p ./evil npm", "hash"],
    ["enable -f x y", "enable"],
    ["ENV rm x", "env"],
    ["((x=1))", "arithmetic"],
    ["for ((;;)); do a; done", "arithmetic"],
    ["[[ x -eq 'a[0]' ]]", "arithmetic"],
    ["test -v 'a[$(x)]'", "arithmetic"],
    ["$'r\\xe9m'", "escaped character"],
    ['$"rm"', "translated string"],
    ["a\u00a0b", "an odd blank or control character"],
    ["a\u3000b", "an odd blank or control character"],
    ["a\u202eb", "an odd blank or control character"],
    ["a\u200bb", "an odd blank or control character"],
    ["a\rb", "an odd blank or control character"],
    ["a\x1bb", "an odd blank or control character"],
    ["a\0b", "NUL"],
    ["a 'b", "syntax error"],
    ["if a; then", "syntax error"],
    ["a ||| b", "syntax error"],
  ])("says that %j cannot be seen through", (text, why) => {
    expect(parseShell(text).opaque).toContain(why);
  });

  it("tells in which line the syntax is wrong", () => {
    expect(parseShell("a\nb\nif c; then\n'd").error).toMatchObject({ line: 4 });
    expect(parseShell("a | b").error).toBeUndefined();
  });

  it.each([
    ["a", ["a"]],
    ["a | b | c", ["a", "b", "c"]],
    ["x; a | { b; } | (c) | while d; do e; done", ["a", "{…}", "(…)", "while"]],
    ["x && a | b", ["a", "b"]],
    ["{ x; a | b; } 2>&1", ["a", "b"]],
    ["a | b &", []],
    ["", []],
  ])("names the last pipeline of %j", (text, names) => {
    expect(parseShell(text).lastPipeline).toEqual(names);
  });

  it.each([
    ["grep a b", ["grep"]],
    ["x; cd a && grep b | head", ["cd", "head"]],
    ["! grep a b", ["!"]],
    ["set -e; grep a b", []],
    ["grep a b || exit 1", []],
    ["grep a b &", []],
  ])("names the commands whose status that of %j may be", (text, names) => {
    expect(parseShell(text).deciders).toEqual(names);
  });

  it.each([
    ["cd a", true],
    ["if a; then { pushd b; }; fi", true],
    ["eval a", true],
    ["$x a", true],
    ["(cd a)", false],
    ["cd a | b", false],
    ["cd a &", false],
    ["echo $(cd a)", false],
    ["echo cd", false],
  ])("knows whether %j may end in another directory: %j", (text, may) => {
    expect(parseShell(text).changesDirectory).toBe(may);
  });

  it("is total, well-formed and deterministic for any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), randomShell()), (text) => {
        const parsed = parseShell(text);
        expect(parseShell(text)).toEqual(parsed);
        if (text.isWellFormed()) expect(JSON.stringify(parsed).isWellFormed()).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("lists whatever bash runs of a text that it sees through", () => {
    fc.assert(
      fc.property(randomShell(), (text) => {
        if (parseShell(text).opaque.length > 0) return;
        const known = new Set(wordsOf(text).map((words) => JSON.stringify(words)));
        for (const words of runAndRecord(text))
          expect(known, JSON.stringify(text)).toContain(JSON.stringify(words));
      }),
      { numRuns: process.env.HAFT_LONG === undefined ? 400 : 20_000 },
    );
  }, 600_000);

  it.each(
    [
      "$(",
      '"$(',
      "${a:-",
      '"${a:-',
      "$((",
      "<(",
      "`",
      "(",
      "{ ",
      "if ",
      "case x in a) ",
      "<<A ",
      "!",
      "eval ",
      "sudo ",
      "sudo -u ",
    ].concat([
      "[[ ! ",
      "@(",
      "a=(",
      "{a,",
      "'",
      '"',
      "\\",
      "a|",
      "a;",
      "((1+",
      "bash -c '",
      "\0",
      "f(){ ",
      "a[",
      "*",
    ]),
  )("answers a megabyte of %j soon, and neither throws nor overflows", (piece) => {
    const started = performance.now();
    for (const size of [10_000, 1_048_576]) {
      const parsed = parseShell(piece.repeat(Math.ceil(size / piece.length)).slice(0, size));
      expect(Array.isArray(parsed.commands)).toBe(true);
    }
    expect(performance.now() - started).toBeLessThan(8_000);
  });
});

const PIECES = [
  ..."ab  \t\n;(){}!#~=[]*?'\"\\$<>|&^%@+-,1",
  ..."é\u00a0\r",
  ...[
    "&&",
    "||",
    "{ ",
    "}",
    "! ",
    "$'",
    '$"',
    "if ",
    "then ",
    "else ",
    "fi",
    "while ",
    "do ",
    "done",
    "for x in ",
  ],
  ...[
    "case a in ",
    "esac",
    ";;",
    "a)",
    "function f",
    "f()",
    "[[ ",
    "]]",
    "((",
    "))",
    "time ",
    "coproc ",
    "<<E\n",
  ],
  ...["\nE\n", "$x", "${", "$(", "`", "in ", "..", "\\x72", "{a,b}", "2>&1", "&>", "|&", "== ", "-f "],
];

function randomShell(): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(""));
}

/** What bash runs of a text: no command exists for it, and what it does not find it hands to a function. One `write` a command keeps them whole. */
function runAndRecord(text: string): string[][] {
  const ran = spawnSync("/bin/bash", ["-c", "--", text], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    timeout: 10_000,
    env: {
      PATH: "/nonexistent",
      LC_ALL: "C.UTF-8",
      // A person's folder is spelled so in rules, too: the word that bash makes of it stands for it here.
      HOME: "~",
      "BASH_FUNC_command_not_found_handle%%":
        "() { local w; printf -v w '%s\\x02' \"$@\"; printf '%s\\x01' \"$w\" >&3; }",
    },
  });
  return String(ran.output?.[3] ?? "")
    .split("\x01")
    .slice(0, -1)
    .map((line) => line.split("\x02").slice(0, -1));
}
