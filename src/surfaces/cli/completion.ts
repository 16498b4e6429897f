/**
 * Owns the scripts by which a shell completes `haft`: made from the commands and flags that there are.
 * Leaves the command to commands/completion.ts. Rule: a script starts no program while a person types.
 */
import type { Command, Option } from "commander";
import { MODES } from "../../contract/decision.ts";
import { TOOL_NAMES } from "../../tools/catalog.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

interface Level {
  /** `ledger show`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Command[];
  readonly options: readonly Option[];
  /** Words that may come first beside commands and flags. */
  readonly words: readonly string[];
}

export function writeCompletion(program: Command, shell: Shell): string {
  const levels = listLevels(program, "");
  return shell === "fish" ? writeFish(levels) : writeBash(levels, shell);
}

function listLevels(command: Command, path: string): readonly Level[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command);
  const words = wordsOf(path);
  const below = command.commands.flatMap((one) => listLevels(one, `${path} ${one.name()}`.trim()));
  return [{ path, commands, options, words }, ...below];
}

function wordsOf(path: string): readonly string[] {
  if (path === "call" || path === "explain") return TOOL_NAMES;
  return path === "completion" ? SHELLS : [];
}

/** What comes after a flag, where that is known. */
function valuesOf({ long, flags }: Option): "folder" | "file" | readonly string[] | undefined {
  if (long === "--mode") return MODES;
  if (long === "--tools") return TOOL_NAMES;
  if (flags.includes("<dir>")) return "folder";
  return flags.includes("<file>") ? "file" : undefined;
}

const longOf = ({ long, short }: Option): string => long ?? short ?? "";

/** For zsh it is the same script, by way of zsh's own bridge. */
function writeBash(levels: readonly Level[], shell: "bash" | "zsh"): string {
  const paths = levels.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  const cases = levels.map(({ path, commands, options, words }) => {
    const all = [...commands.map((one) => one.name()), ...words, ...options.map(longOf)];
    return `    "${path}") words="${all.join(" ")}" ;;`;
  });
  const flags = new Map(levels.flatMap(({ options }) => options.map((one) => [longOf(one), valuesOf(one)])));
  const values = [...flags].flatMap(([flag, value]) => {
    if (value === undefined) return [];
    const offer = value === "folder" ? "-d" : value === "file" ? "-f" : `-W "${value.join(" ")}"`;
    return [`    ${flag}) COMPREPLY=($(compgen ${offer} -- "$current")); return ;;`];
  });
  const bridge =
    shell === "zsh"
      ? "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"
      : "";
  return `# haft completion ${shell}
${bridge}_haft() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at="" next words index
  COMPREPLY=()
  case "$before" in
${values.join("\n")}
  esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    next="\${at:+$at }\${COMP_WORDS[index]}"
    case "$next" in
      ${paths.join("|")}) at="$next" ;;
    esac
  done
  case "$at" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _haft haft
`;
}

function writeFish(levels: readonly Level[]): string {
  const lines = levels.flatMap(({ path, commands, options, words }) => {
    const parts = path === "" ? [] : path.split(" ");
    const inner = commands.map((one) => one.name()).join(" ");
    const seen = parts.map((part) => `__fish_seen_subcommand_from ${part}`);
    const unseen = inner === "" ? [] : [`not __fish_seen_subcommand_from ${inner}`];
    const condition = [...seen, ...unseen].join("; and ");
    const when = condition === "" ? "" : ` -n '${condition}'`;
    return [
      ...commands.map((one) => `complete -c haft -f${when} -a ${one.name()} -d ${quote(one.description())}`),
      ...words.map((word) => `complete -c haft -f${when} -a ${word}`),
      ...options.flatMap((option) => writeFishOption(option, when)),
    ];
  });
  return `# haft completion fish\n${lines.join("\n")}\n`;
}

function writeFishOption(option: Option, when: string): string[] {
  const { long, description } = option;
  if (!long) return [];
  const value = valuesOf(option);
  const takes =
    value === undefined
      ? ""
      : value === "folder"
        ? " -x -a '(__fish_complete_directories)'"
        : value === "file"
          ? " -r -F"
          : ` -x -a ${quote(value.join(" "))}`;
  return [`complete -c haft${when} -l ${long.slice(2)}${takes} -d ${quote(description)}`];
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
