/**
 * Owns finding the last pipeline of a command and the names of its stages. Leaves the statuses to whoever ran it.
 * Rule: only what bash would tell of in PIPESTATUS once the command has ended; where that is not sure, no names.
 */
import type { CommandNode, PipelineNode, Script, SyntaxNode } from "unbash";
import { knowWord } from "./known-word.ts";
import type { SimpleCommand } from "./parsed-shell.ts";

export function findLastPipeline(script: Script): readonly string[] {
  let node: SyntaxNode | undefined = script.commands.at(-1);
  // As deep as the parser follows groups.
  for (let depth = 0; depth < 512 && node !== undefined; depth++) {
    if (node.type === "Statement") {
      if (node.background === true) return [];
      node = node.command;
    } else if (node.type === "AndOr") node = node.commands.at(-1);
    else if (node.type === "BraceGroup") node = node.body.commands.at(-1);
    else if (node.type === "Redirected") node = node.command;
    else if (node.type === "Pipeline" && node.commands.length === 1) node = node.commands[0];
    else break;
  }
  if (node === undefined) return [];
  if (node.type === "Pipeline") return node.commands.map(nameStage);
  return [nameStage(node as CommandNode)];
}

/** With `set -e` or the like any command may end the whole; so may `exit` in the middle, and a trap. */
export function mayEndElsewhere(commands: readonly SimpleCommand[]): boolean {
  return commands.some(({ words }) => /^(set|exit|trap|eval|source|\.)$/.test(words[0] ?? ""));
}

export function findDeciders(script: Script, commands: readonly SimpleCommand[]): readonly string[] {
  if (mayEndElsewhere(commands)) return [];
  const last = script.commands.at(-1);
  if (last === undefined || last.background === true) return [];
  const { command } = last;
  return (command.type === "AndOr" ? command.commands : [command]).map((one) =>
    // Negated, the status tells of its contrary.
    one.type === "Pipeline" && one.prefixes.some((prefix) => prefix.type === "Negation")
      ? "!"
      : nameLast(one),
  );
}

function nameLast(node: PipelineNode): string {
  if (node.type !== "Pipeline") return nameStage(node);
  const stage = node.commands.at(-1);
  return stage === undefined ? "" : nameStage(stage);
}

const NAMES: Partial<Record<CommandNode["type"], string>> = {
  If: "if",
  For: "for",
  ArithmeticFor: "for",
  Select: "select",
  Case: "case",
  Subshell: "(…)",
  BraceGroup: "{…}",
  TestCommand: "[[",
  ArithmeticCommand: "((",
  Function: "function",
  Coproc: "coproc",
};

function nameStage(node: CommandNode): string {
  if (node.type === "Redirected") return nameStage(node.command);
  if (node.type === "While") return node.kind;
  if (node.type === "Command") return node.name === undefined ? "" : knowWord(node.name).text;
  return NAMES[node.type] ?? "";
}
