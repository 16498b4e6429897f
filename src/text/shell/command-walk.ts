/**
 * Owns the walk through a parsed shell command: every simple command in the order of the text, and every construct
 * that cannot be seen through. Leaves words to known-word.ts, commands that run others to see-through.ts.
 * Rule: a kind of node that is not named here is opaque. How deep substitutions are followed is bounded, for each
 * level reads its text again; what lies deeper is opaque by the substitution itself.
 */
import type { Assignment, Redirection, Script, Statement, SyntaxNode, Word } from "unbash";
import { knowWord } from "./known-word.ts";
import type { SimpleCommand } from "./parsed-shell.ts";
import { seeThrough } from "./see-through.ts";

type ParsedCommand = Extract<SyntaxNode, { type: "Command" }>;

export interface Walk {
  readonly commands: SimpleCommand[];
  readonly opaque: Set<string>;
  changesDirectory: boolean;
  /** Parses a text that a command runs as a script. */
  readonly parse: (text: string) => Script;
  readonly eachChild: (node: SyntaxNode, visit: (child: SyntaxNode) => void) => void;
}

interface Position {
  /** Substitutions and scripts around this. */
  readonly depth: number;
  /** In a process of its own: what it does to the shell ends with it. */
  readonly apart: boolean;
}

const MOST_DEPTH = 6;

export function walkScript(walk: Walk, script: Script): void {
  walkStatements(walk, script.commands, { depth: 0, apart: false });
}

/** One simple command of words that stand for themselves. */
export function walkWords(walk: Walk, words: readonly string[]): void {
  addCommand(walk, { words, assignments: [] }, { depth: 0, apart: false });
}

function walkStatements(walk: Walk, statements: readonly Statement[], at: Position): void {
  for (const statement of statements) walkNode(walk, statement, at);
}

/** The kinds that only hold others. */
const PLAIN: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "CompoundList",
  "AndOr",
  "If",
  "Elif",
  "While",
  "BraceGroup",
  "Redirected",
  "TestCommand",
  "TestGroup",
  "TestLogical",
  "TestNot",
  "Negation",
  "Time",
  "CaseItem",
  "FileDescriptor",
]);

/** The kinds that cannot be seen through, and what they are called. What is in them is walked all the same. */
const OPAQUE: Partial<Record<SyntaxNode["type"], string>> = {
  ArrayValue: "variable",
  For: "variable",
  Select: "variable",
  Function: "function definition",
  HereString: "here-document",
  FileDescriptorVariable: "variable",
};

function walkNode(walk: Walk, node: SyntaxNode, at: Position): void {
  if (node.type === "Statement")
    walkNode(walk, node.command, node.background === true ? { ...at, apart: true } : at);
  else if (node.type === "Pipeline")
    walkChildren(walk, node, node.commands.length > 1 ? { ...at, apart: true } : at);
  else if (node.type === "Subshell" || node.type === "Coproc")
    walkChildren(walk, node, { ...at, apart: true });
  else if (node.type === "Command") walkCommand(walk, node, at);
  else if (node.type === "Case") walkCase(walk, node, at);
  else if (node.type === "Redirect") walkRedirect(walk, node, at);
  else if (node.type === "HereDoc") {
    walk.opaque.add("here-document");
    walkExpansions(walk, node.body, at);
  } else if (node.type === "TestUnary" || node.type === "TestBinary") walkTest(walk, node, at);
  else if (node.type === "Word") walkWord(walk, node, at);
  else if (node.type === "ArithmeticCommand" || node.type === "ArithmeticFor") walkArithmetic(walk, node, at);
  else {
    if (!PLAIN.has(node.type)) walk.opaque.add(OPAQUE[node.type] ?? "expansion");
    walkChildren(walk, node, at);
  }
}

/** Patterns are compared, not looked up on disk. */
function walkCase(walk: Walk, node: Extract<SyntaxNode, { type: "Case" }>, at: Position): void {
  walkWord(walk, node.word, at);
  for (const item of node.items) {
    for (const pattern of item.pattern) walkPattern(walk, pattern, at);
    walkNode(walk, item.body, at);
  }
}

type Arithmetic = Extract<SyntaxNode, { type: "ArithmeticCommand" | "ArithmeticFor" }>;

function walkArithmetic(walk: Walk, node: Arithmetic, at: Position): void {
  walk.opaque.add("arithmetic");
  if (node.type === "ArithmeticCommand") {
    walkExpansions(walk, node, at);
    return;
  }
  for (const part of [node.initialize, node.test, node.update])
    if (part !== undefined) walkExpansions(walk, part, at);
  walkNode(walk, node.body, at);
}

function walkChildren(walk: Walk, node: SyntaxNode, at: Position): void {
  walk.eachChild(node, (child) => walkNode(walk, child, at));
}

function walkCommand(walk: Walk, command: ParsedCommand, at: Position): void {
  const assignments: string[] = [];
  for (const part of command.prefix) {
    if (part.type === "Assignment") assignments.push(walkAssignment(walk, part, at));
  }
  const words = command.name === undefined ? [] : [walkWord(walk, command.name, at)];
  for (const part of command.args)
    words.push(part.type === "Assignment" ? walkAssignment(walk, part, at) : walkWord(walk, part, at));
  addCommand(walk, { words, assignments }, at);
  for (const redirect of command.redirects) walkNode(walk, redirect, at);
}

function addCommand(walk: Walk, command: SimpleCommand, at: Position): void {
  walk.commands.push(command);
  const [name] = command.words;
  if (!at.apart && name !== undefined && mayChangeDirectory(name)) walk.changesDirectory = true;
  const seen = seeThrough(command.words);
  if (seen === undefined) return;
  walk.opaque.add(seen.why);
  const below = { depth: at.depth + 1, apart: at.apart };
  if (below.depth > MOST_DEPTH) return;
  for (const words of seen.words ?? [])
    if (words.length > 0) addCommand(walk, { words, assignments: [] }, below);
  if (seen.script !== undefined && seen.script !== "")
    walkStatements(walk, walk.parse(seen.script).commands, below);
}

function mayChangeDirectory(name: string): boolean {
  return /^(cd|pushd|popd|eval|source|\.|trap)$/.test(name) || /[$`]/.test(name);
}

/** A variable may decide which program a name finds, or what a program loads: `PATH=. npm test`. */
function walkAssignment(walk: Walk, assignment: Assignment, at: Position): string {
  walk.opaque.add("variable");
  if (assignment.index !== undefined) walkExpansions(walk, assignment.index, at);
  const { value } = assignment;
  if (value.type === "ArrayValue") {
    for (const element of value.elements) walkExpansions(walk, element, at);
    return assignment.text;
  }
  walkExpansions(walk, value, at);
  if (assignment.index !== undefined || knowWord(value).why !== undefined) return assignment.text;
  return `${assignment.name}${assignment.append === true ? "+" : ""}=${value.value}`;
}

function walkWord(walk: Walk, word: Word, at: Position): string {
  const { text, why } = knowWord(word);
  if (why === undefined) return text;
  walk.opaque.add(why);
  walkExpansions(walk, word, at);
  return text;
}

/** The commands inside of a word's expansions. A sum of many terms is a deep tree: no recursion but at a substitution. */
function walkExpansions(walk: Walk, top: SyntaxNode, at: Position): void {
  const waiting = [{ node: top, depth: at.depth }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node } = next;
    if (isSubstitution(node)) {
      walkSubstitution(walk, node, next.depth);
      continue;
    }
    const depth = next.depth + (DEEPER.has(node.type) ? 1 : 0);
    if (depth > MOST_DEPTH) continue;
    const children: { node: SyntaxNode; depth: number }[] = [];
    walk.eachChild(node, (child) => children.push({ node: child, depth }));
    for (const child of children.reverse()) waiting.push(child);
  }
}

/** Each of these reads its text again. */
const DEEPER: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "ParameterExpansion",
  "ArithmeticExpansion",
  "ExtendedGlob",
  "BraceExpansion",
]);

type Substitution = Extract<
  SyntaxNode,
  { type: "CommandExpansion" | "ProcessSubstitution" | "ArithmeticCommandExpansion" }
>;

function isSubstitution(node: SyntaxNode): node is Substitution {
  return (
    node.type === "CommandExpansion" ||
    node.type === "ProcessSubstitution" ||
    node.type === "ArithmeticCommandExpansion"
  );
}

function walkSubstitution(walk: Walk, node: Substitution, depth: number): void {
  walk.opaque.add(node.type === "ProcessSubstitution" ? "process substitution" : "command substitution");
  if (depth >= MOST_DEPTH) return;
  const { script } = node;
  if (script === undefined) return;
  if (script.errors !== undefined && script.errors.length > 0) walk.opaque.add("syntax error");
  walkStatements(walk, script.commands, { depth: depth + 1, apart: true });
}

/** What a stream is copied from or closed by is a number or `-`. Nothing comes from or stays in `/dev/null`. */
function walkRedirect(walk: Walk, redirect: Extract<Redirection, { type: "Redirect" }>, at: Position): void {
  if (redirect.descriptor?.type === "FileDescriptorVariable") walk.opaque.add("variable");
  if (redirect.target === undefined) {
    walk.opaque.add("redirection to a path");
    return;
  }
  const target = walkWord(walk, redirect.target, at);
  const copies = redirect.operator === ">&" || redirect.operator === "<&";
  if (copies && /^(\d{1,3}-?|-)$/.test(target)) return;
  if (target === "/dev/null") return;
  walk.opaque.add(
    redirect.operator.startsWith("<") && redirect.operator !== "<>"
      ? "redirection from a path"
      : "redirection to a path",
  );
}

type Test = Extract<SyntaxNode, { type: "TestUnary" | "TestBinary" }>;

/** Numbers that are compared are expressions: a subscript in one runs what it holds. */
function walkTest(walk: Walk, test: Test, at: Position): void {
  const words = test.type === "TestUnary" ? [test.operand] : [test.left, test.right];
  const isPattern = /^(=|==|!=|=~)$/.test(test.operator);
  for (const [index, word] of words.entries()) {
    if (isPattern && index === 1) {
      walkPattern(walk, word, at);
      continue;
    }
    const text = walkWord(walk, word, at);
    if (/^-(eq|ne|lt|le|gt|ge|v|R)$/.test(test.operator) && !/^[-+]?\d*$/.test(text))
      walk.opaque.add("arithmetic");
  }
}

/** What is compared with a text is a pattern of its own: only expansions in it matter. */
function walkPattern(walk: Walk, word: Word, at: Position): void {
  const { why } = knowWord(word);
  if (why !== undefined && why !== "pattern of file names" && why !== "brace expansion") walk.opaque.add(why);
  walkExpansions(walk, word, at);
}
