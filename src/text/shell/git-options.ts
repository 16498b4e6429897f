/**
 * Owns what makes git run a program that its words do not name as one: `git -c core.pager=…`, `git bisect run`,
 * `git grep -O…`. Leaves other programs to running-options.ts. Rule: git takes commands from many a setting, and new
 * ones come, so those that are harmless are listed, and any other one counts as a command.
 */
import { isShortenedOf } from "./shortened-option.ts";

/** Settings that are names, colours, numbers and choices. */
const HARMLESS = [
  /^(user\.(name|email|useconfigonly)|color\.[\w.-]+|advice\.\w+|i18n\.\w+|column\.\w+|status\.\w+)$/,
  /^core\.(quotepath|autocrlf|eol|safecrlf|abbrev|ignorecase|filemode|longpaths|precomposeunicode|symlinks|whitespace|commentchar|compression|preloadindex|untrackedcache)$/,
  /^(commit\.(gpgsign|verbose|cleanup|status)|tag\.(gpgsign|sort|forcesignannotated)|init\.defaultbranch|log\.\w+)$/,
  /^(push\.(default|autosetupremote|followtags)|pull\.(rebase|ff)|fetch\.\w+|merge\.(conflictstyle|ff|log|stat|renames|renamelimit))$/,
  /^(rebase\.(autosquash|autostash|updaterefs|stat)|branch\.([\s\S]+\.(remote|merge|rebase|description)|autosetupmerge|autosetuprebase|sort))$/,
  /^diff\.(algorithm|renames|renamelimit|context|interhunkcontext|noprefix|mnemonicprefix|colormoved|colormovedws|submodule|indentheuristic|wordregex|statgraphwidth)$/,
  /^(gc\.\w+|pack\.\w+|index\.\w+|feature\.\w+|rerere\.\w+|grep\.(linenumber|column|patterntype|extendedregexp|fullname)|submodule\.recurse|protocol\.version|http\.(postbuffer|version|lowspeedlimit|lowspeedtime))$/,
];
/** What shows or edits may be told to do nothing. */
const SHOWS = /^(core\.(pager|editor)|pager\.[\w-]+|sequence\.editor)$/;
const DOES_NOTHING = /^(cat|true|false|:|)$/;

function isHarmless(setting: string): boolean {
  const [, key = "", value] = /^([^=]*)(?:=([\s\S]*))?$/.exec(setting) ?? [];
  const name = key.toLowerCase();
  if (HARMLESS.some((pattern) => pattern.test(name))) return true;
  return SHOWS.test(name) && value !== undefined && DOES_NOTHING.test(value);
}

/** Before the subcommand, these take the next word where they have no value of their own. */
const WITH_VALUE = /^(-C|--git-dir|--work-tree|--namespace|--super-prefix|--attr-source)$/;

export function readGitOptions(words: readonly string[]): string | undefined {
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "-c") {
      at++;
      if (!isHarmless(words[at] ?? "")) return "git -c";
    } else if (word.startsWith("--config-env") || word.startsWith("--exec-path="))
      return `git ${word.replace(/=.*$/s, "")}`;
    else if (WITH_VALUE.test(word)) at++;
    else if (!word.startsWith("-")) break;
  }
  const [command = "", ...rest] = words.slice(at);
  // A transport that is a command.
  if (rest.some((word) => /^ext::/i.test(word) || /=ext::/i.test(word))) return "git ext::";
  return runsByItself(command, rest) ? `git ${command}` : undefined;
}

/** Subcommands that run what they are given, and the options by which others do. */
const RUN: ReadonlySet<string> = new Set(
  "filter-branch difftool mergetool hook instaweb web--browse for-each-repo daemon shell send-email p4".split(
    " ",
  ),
);
const OPTIONS: Readonly<Record<string, { readonly long: string; readonly short?: RegExp }>> = {
  rebase: { long: "exec", short: /^-[a-zA-Z]*x/ },
  grep: { long: "open-files-in-pager", short: /^-[a-zA-Z]*O/ },
  fetch: { long: "upload-pack" },
  pull: { long: "upload-pack" },
  "ls-remote": { long: "upload-pack exec" },
  "fetch-pack": { long: "upload-pack exec" },
  push: { long: "receive-pack exec" },
  "send-pack": { long: "receive-pack exec" },
  archive: { long: "exec" },
  clone: { long: "upload-pack template", short: /^-[a-zA-Z]*u/ },
  init: { long: "template" },
};

function runsByItself(command: string, rest: readonly string[]): boolean {
  if (RUN.has(command)) return true;
  if (command === "bisect") return rest.includes("run");
  if (command === "submodule") return rest.includes("foreach");
  if (command === "config") return setsCommand(rest);
  if (command === "clone" && listCloneSettings(rest).some((setting) => !isHarmless(setting))) return true;
  const options = Object.hasOwn(OPTIONS, command) ? OPTIONS[command] : undefined;
  if (options === undefined) return false;
  return rest.some((word) => options.short?.test(word) === true || isShortenedOf(word, options.long));
}

function listCloneSettings(rest: readonly string[]): readonly string[] {
  return rest.flatMap((word, index) => {
    if (/^--conf?i?g?=/.test(word)) return [word.replace(/^[^=]*=/, "")];
    if (/^-c./.test(word)) return [word.slice(2)];
    return word === "-c" || word === "--config" ? [rest[index + 1] ?? ""] : [];
  });
}

/** `git config core.pager x`, and what follows git's own words for setting. */
function setsCommand(rest: readonly string[]): boolean {
  if (rest.some((word) => /^(--get|--list|-l$|--unset|--remove)/.test(word))) return false;
  const [first = "", ...others] = rest.filter((word) => !word.startsWith("-"));
  if (/^(get|list|unset|remove-section)$/.test(first)) return false;
  const [key = "", value] = first === "set" ? others : [first, ...others];
  return value !== undefined && !isHarmless(`${key}=${value}`);
}
