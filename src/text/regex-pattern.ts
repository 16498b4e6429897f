/**
 * Owns what a search pattern means: regular expression or literal text, and what it is compiled to.
 * Leaves syntax to regex-syntax.ts and looking through bytes to line-finder.ts and span-finder.ts.
 * Rule: a pattern is refused only where it needs backtracking; a text that does not parse is searched as it is,
 * and the caller says so.
 */
import { isRefusal, type RefusalOf, refuse } from "../contract/refusal.ts";
import { foldLiteral, forbidNewline } from "./pattern-change.ts";
import { literalOf, type PatternNode } from "./pattern-node.ts";
import { checkSize, ProgramTooLarge } from "./pattern-program.ts";
import { RegexSyntaxError, RegexUnsupportedError } from "./regex-escape.ts";
import { findLiterals, type Literals } from "./regex-literals.ts";
import { readRegex } from "./regex-syntax.ts";

export interface SearchPattern {
  readonly node: PatternNode;
  readonly literals: Literals | undefined;
  readonly multiline: boolean;
  /** `\r\n` is one line ending; false where the pattern speaks of `\r` itself. */
  readonly joinsReturn: boolean;
  /** How the pattern was taken where that differs from what was asked: a clause for the first line. */
  readonly taken?: string;
}

export interface PatternRequest {
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
}

export function compilePattern(request: PatternRequest): SearchPattern | RefusalOf<"pattern-unsupported"> {
  const { pattern } = request;
  if (request.literal) return finish(request, readLiteral(request));
  try {
    return finish(request, readExpression(request));
  } catch (error) {
    if (error instanceof RegexSyntaxError) {
      const taken = `searched literally, because it is no regular expression: ${error.message}`;
      return finish(request, { ...readLiteral(request), taken });
    }
    if (error instanceof RegexUnsupportedError) {
      const rewrite = findRewrite(request, error.rewrite);
      return refuse("pattern-unsupported", {
        pattern,
        construct: error.construct,
        ...(rewrite === undefined ? {} : { rewrite }),
      });
    }
    throw error;
  }
}

/** A rewrite that works: where it holds another such construct, that one is rewritten too. */
function findRewrite(request: PatternRequest, rewrite: string | undefined): string | undefined {
  if (rewrite === undefined) return undefined;
  const compiled = compilePattern({ ...request, pattern: rewrite });
  return isRefusal(compiled) ? compiled.facts.rewrite : rewrite;
}

type Reading = Omit<SearchPattern, "literals">;

function readExpression({ pattern, ignoreCase, multiline }: PatternRequest): Reading {
  const tree = readRegex(pattern, { ignoreCase, multiline: true });
  // A pattern with a line break in it can match nothing within a line: that was not meant.
  const across = multiline || tree.namesNewline;
  const node = across ? tree.node : forbidNewline(tree.node);
  return {
    node,
    multiline: across,
    joinsReturn: !tree.namesReturn,
    ...(across === multiline
      ? {}
      : { taken: "searched across lines, because the pattern holds a line break" }),
  };
}

function readLiteral({ pattern, ignoreCase, multiline }: PatternRequest): Reading {
  const node = ignoreCase ? foldLiteral(pattern) : literalOf(pattern);
  return { node, multiline: multiline || pattern.includes("\n"), joinsReturn: !pattern.includes("\r") };
}

function finish(request: PatternRequest, reading: Reading): SearchPattern | RefusalOf<"pattern-unsupported"> {
  try {
    // Tried here so that what is too large is refused before anything is searched.
    checkSize(reading.node);
  } catch (error) {
    if (!(error instanceof ProgramTooLarge)) throw error;
    return refuse("pattern-unsupported", { pattern: request.pattern, construct: "a pattern of this size" });
  }
  return { ...reading, literals: findLiterals(reading.node) };
}
