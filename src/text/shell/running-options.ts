/**
 * Owns the options and programs-in-an-argument by which ordinary programs run others: `tar --to-command`,
 * `sed '1e …'`, `sort --compress-program`. Leaves git to git-options.ts, runners and shells to see-through.ts.
 * Rule: only what makes a command run something that its words do not name as a command. What a build tool does by
 * its own files (`make`, `npm test`) is what its rule allows. In doubt it runs something: a script that is not plainly
 * harmless is asked for once too often.
 */
import { readGitOptions } from "./git-options.ts";
import { isShortenedOf } from "./shortened-option.ts";

/** Long options, which may be shortened, and what else gives one away. */
interface Giveaways {
  readonly long?: string;
  /** Any word. */
  readonly word?: RegExp;
}

const TAR: Giveaways = {
  long: "checkpoint-action to-command use-compress-program info-script new-volume-script rsh-command rmt-command",
  word: /^-[a-zA-Z]*[IF]/,
};
const COMPILER: Giveaways = { word: /^(-wrapper|-fplugin|-specs|-B|-Xclang|-load)/ };
const VIM: Giveaways = { word: /^(\+|-[a-zA-Z]*[cSsuW]|--cmd)/ };

const PROGRAMS: Readonly<Record<string, Giveaways>> = {
  tar: TAR,
  gtar: TAR,
  bsdtar: TAR,
  sort: { long: "compress-program" },
  split: { long: "filter" },
  rsync: { long: "rsh rsync-path", word: /^-[a-zA-Z]*e/ },
  scp: { word: /^-[a-zA-Z0-9]*[SoD]/ },
  sftp: { word: /^-[a-zA-Z0-9]*[SobD]/ },
  zip: { long: "unzip-command", word: /^-[a-zA-Z]*TT/ },
  rg: { long: "pre hostname-bin" },
  man: { long: "pager html preprocessor", word: /^-[a-zA-Z]*[PH]/ },
  less: { word: /^\+/ },
  vim: VIM,
  vi: VIM,
  view: VIM,
  nvim: VIM,
  ex: { word: /^/ },
  ed: { word: /^/ },
  emacs: { long: "eval load funcall execute", word: /^-[a-zA-Z]*[fl]/ },
  make: { long: "eval", word: /^(MAKE|\.?SHELL\w*|MAKEFLAGS|GNUMAKEFLAGS)[+:?!]*=/ },
  npm: { long: "script-shell call node-options", word: /^(-c$|script-shell|node-options)/ },
  npx: { long: "script-shell call node-options", word: /^-c$/ },
  pnpm: { long: "script-shell shell-mode", word: /^(-c$|script-shell)/ },
  go: { word: /^--?(exec|toolexec|vettool)(=|$)/ },
  cargo: { long: "config" },
  gcc: COMPILER,
  "g++": COMPILER,
  cc: COMPILER,
  "c++": COMPILER,
  clang: COMPILER,
  "clang++": COMPILER,
  wget: { long: "use-askpass" },
  install: { long: "strip-program" },
  tcpdump: { word: /^-[a-zA-Z]*z/ },
  hg: { long: "config" },
  svn: { long: "config-option editor-cmd diff-cmd diff3-cmd" },
  ip: { word: /^exec$/ },
  sqlite3: { word: /^\.|^-cmd/ },
  psql: { word: /\\!|\\o\s*\|/ },
};

/** How a command runs another by its own options; undefined where nothing is seen of that. */
export function findRunningOption(name: string, rest: readonly string[]): string | undefined {
  if (rest.length === 0) return undefined;
  if (name === "git") return readGitOptions(rest);
  if (name === "sed" || name === "gsed")
    return runsInSed(rest) ? `${name} with a script that may run commands` : undefined;
  if (/^[gmn]?awk$/.test(name))
    return rest.some(runsInAwk) ? `${name} with a program that may run commands` : undefined;
  if (/^ld(-[\w.-]+)?\.so(\.\d+)*$/.test(name)) return "the dynamic linker";
  const giveaways = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (giveaways === undefined) return undefined;
  const { long, word } = giveaways;
  const found = rest.find(
    (one) => word?.test(one) === true || (long !== undefined && isShortenedOf(one, long)),
  );
  // tar takes its first letters without a dash.
  if (found === undefined && giveaways === TAR && /^[a-zA-Z]*[IF]/.test(rest[0] ?? ""))
    return `${name} ${rest[0]}`;
  return found === undefined ? undefined : `${name} ${found.replace(/=[\s\S]*$/, "").slice(0, 40)}`.trim();
}

/**
 * A program of awk that pipes, calls `system`, prints to a file or loads one. An alternative in a regular expression
 * looks like a pipe, and telling them apart takes all of awk's grammar.
 */
function runsInAwk(word: string): boolean {
  if (/^-F/.test(word) || word.length < 2) return false;
  if (/system|[^|]\|[^|]|^\||\|$|@/.test(word)) return true;
  return word
    .split(/[;}\n]/)
    .some((part) => part.includes("print") && part.lastIndexOf(">") > part.indexOf("print"));
}

const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)`;
const BLANKS = String.raw`[ \t]*`;
/** No two stretches of blanks meet in it: it is linear. */
const COMMAND = String.raw`(?:${ADDRESS}(?:,(?:\+?\d+|${ADDRESS}))?${BLANKS})?(?:!${BLANKS})?(?:[pdqnNDPhHgGx=]|[aic][^\n]*|:${BLANKS}\w+|[bt](?:${BLANKS}\w+)?|s([/|#,:@!])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\]|\\[\s\S])*\1[gpiIM\d]*)`;

/** Lines that are printed, deleted, added or replaced, and jumps among them. */
function isPlainSed(script: string): boolean {
  const blanks = /[\s;]*/y;
  const command = new RegExp(`${COMMAND}${BLANKS}(?:[;\\n]|$)`, "y");
  for (let at = 0; ; at = command.lastIndex) {
    blanks.lastIndex = at;
    blanks.test(script);
    if (blanks.lastIndex >= script.length) return true;
    command.lastIndex = blanks.lastIndex;
    if (!command.test(script)) return false;
  }
}

function runsInSed(words: readonly string[]): boolean {
  const scripts: (string | undefined)[] = [];
  const others: string[] = [];
  for (const [index, word] of words.entries()) {
    const previous = words[index - 1] ?? "";
    if (/^-[nErsuz]*e$|^--expression$/.test(previous)) continue;
    const joined = /^(?:-[nErsuz]*e|--expression=)([\s\S]+)$/.exec(word)?.[1];
    if (joined !== undefined && word !== "--expression") scripts.push(joined);
    else if (/^-[nErsuz]*e$|^--expression$/.test(word)) scripts.push(words[index + 1]);
    else if (/^-[nErsuz]*f|^--f/.test(word)) return true;
    else if (!/^-./.test(word)) others.push(word);
  }
  if (scripts.length === 0) scripts.push(others[0]);
  return scripts.some((script) => script !== undefined && !isPlainSed(script));
}
