/**
 * Owns recognising a file that says that it is generated.
 * Leaves refusing to protect.ts. Rule: only the comment lines at the top count, whatever their leader; the same
 * words deep in the body (a generator's own source, a text about generators) mean nothing.
 */

/** A comment line of the languages people keep in repositories; what follows the leader is its text. */
const COMMENT =
  /^\s*(?:\/\/+!?|\/\*+!?|\*+\/?|#+!?|--+(?:\[\[)?|;+|%+|<!--+|<#|\{-+|\(\*+|'+|"+|!+|\.\.|@?rem\b|dnl\b|=begin\b|r?"""|''')(.*)$/iu;
/** What may stand before the header comment: a declaration of the language itself. */
const PROLOGUE = /^\s*(?:<\?|<!doctype\b|@charset\b|['"]use \w+['"];?\s*$|%YAML\b)/iu;
const CODE_GENERATED = /code generated\b(.*?)\bdo not edit\b/iu;
const AT_GENERATED =
  /(?<![\w@.-])@generated\b(?![-\w])(?:[ \t]*:?[ \t]*(?:by|from|with|using)\b[ \t]+(.+))?/u;
/** Lines of a header; license headers are long, and come first. */
const MAX_LINES = 60;

/** The words that say so, and the generator where they name it. */
export function findGeneratedMark(head: Uint8Array): { marker: string; generator?: string } | undefined {
  let previous = "";
  let inBlock: RegExp | undefined;
  for (const line of decodeHead(head).split(/\r?\n/u, MAX_LINES)) {
    const text = inBlock === undefined ? commentText(line) : line;
    if (text === undefined) return undefined;
    const mark = markIn(text) ?? markIn(`${previous} ${text.trim()}`);
    if (mark !== undefined) return mark;
    inBlock = inBlock === undefined ? openedBlock(line) : inBlock.test(line) ? undefined : inBlock;
    previous = text.trim();
  }
  return undefined;
}

/** The text of a comment, "" for a blank line or a prologue, undefined where the body begins. */
function commentText(line: string): string | undefined {
  if (line.trim() === "" || PROLOGUE.test(line)) return "";
  return COMMENT.exec(line)?.[1];
}

const BLOCKS: readonly { open: RegExp; close: RegExp }[] = [
  { open: /^\s*\/\*/u, close: /\*\// },
  { open: /^\s*<!--/u, close: /-->/ },
  { open: /^\s*<#/u, close: /#>/ },
  { open: /^\s*\{-/u, close: /-\}/ },
  { open: /^\s*\(\*/u, close: /\*\)/ },
  { open: /^\s*--+\[\[/u, close: /\]\]/ },
  { open: /^\s*r?"""/u, close: /"""/ },
  { open: /^\s*r?'''/u, close: /'''/ },
  { open: /^=begin\b/u, close: /^=(?:end|cut)\b/ },
];

/** The end to wait for where a line opens a comment of several lines. */
function openedBlock(line: string): RegExp | undefined {
  const block = BLOCKS.find((candidate) => candidate.open.test(line));
  if (block === undefined) return undefined;
  return block.close.test(line.replace(block.open, "")) ? undefined : block.close;
}

function markIn(text: string): { marker: string; generator?: string } | undefined {
  const code = CODE_GENERATED.exec(text);
  if (code !== null) {
    const by = /\bby\s+(.+?)[\s.,;:!-]*$/iu.exec(code[1] ?? "")?.[1];
    return { marker: "Code generated … DO NOT EDIT", ...(by === undefined ? {} : { generator: by }) };
  }
  const at = AT_GENERATED.exec(text);
  if (at === null) return undefined;
  const by = at[1]?.replace(/(?:\*\/|-->|#>|-\}|\*\)|\]\])?[\s.]*$/u, "").trim();
  return { marker: "@generated", ...(by === undefined || by === "" ? {} : { generator: by }) };
}

function decodeHead(head: Uint8Array): string {
  const [a, b] = [head[0], head[1]];
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(head);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(head);
  return new TextDecoder("utf-8").decode(head);
}
