/**
 * Owns `haft ledger recall`: the result of one call, or a part of it.
 * Leaves reading parts to the ledger. Rule: what is printed is the result's own text, byte for byte, so that a file
 * made of it is the result; with --grep its lines have their numbers.
 */
import { type Command, InvalidArgumentError } from "commander";
import { isRefusal } from "../../../contract/refusal.ts";
import type { PastResult } from "../../../contract/results.ts";
import { makeLineFinder } from "../../../text/line-finder.ts";
import { splitLines } from "../../../text/lines.ts";
import { compilePattern } from "../../../text/regex-pattern.ts";
import { addLedgerFlags, completeCallId, type LedgerFlags, showId, withLedger } from "../open-ledger-file.ts";
import { printJson } from "../print.ts";
import { printContent } from "../print-safely.ts";
import { showNumber } from "../print-table.ts";

interface Range {
  readonly start: number;
  readonly end: number;
}

interface RecallFlags extends LedgerFlags {
  readonly lines?: Range;
  readonly chars?: Range;
  readonly grep?: string;
}

const EXAMPLES = `
Examples:
  haft ledger recall 2026-11-30-1f3a5c7d9e0b/call_7 > result.txt
  haft ledger recall call_7 --lines 200:300      of the latest session; lines from 1, both included
  haft ledger recall call_7 --chars 0:5000       characters from 0, the end not included
  haft ledger recall call_7 --grep 'error|warn'`;

export function addLedgerRecall(ledger: Command): void {
  const command = ledger
    .command("recall")
    .description("print what a call returned, whole or in part")
    .argument("<id>", "SESSION/CALL, or a call of the latest session")
    .option("--lines <from:to>", "only these lines", (value: string) => readRange(value, 1))
    .option("--chars <from:to>", "only these characters", (value: string) => readRange(value, 0))
    .option("--grep <pattern>", "only the lines that match, with their numbers")
    .option("--json", "print it as JSON")
    .addHelpText("after", EXAMPLES);
  addLedgerFlags(command).action((id: string, flags: RecallFlags) =>
    withLedger(flags, (opened) => {
      if (flags.chars !== undefined && (flags.lines ?? flags.grep) !== undefined)
        command.error("error: --chars goes with neither --lines nor --grep");
      const full = completeCallId(opened, id);
      const result = opened.result(full);
      if (result === undefined)
        throw new Error(
          `the call ${showId(full)} has not ended, so there is no result; haft ledger show ${showId(full)} shows it`,
        );
      checkRange(result, flags);
      const text = readPart(result, flags);
      const { tool, isError, characters, lines } = result;
      if (flags.json) return printJson({ id: full, tool, isError, characters, lines, content: text });
      printContent(text);
    }),
  );
}

function readRange(value: string, first: number): Range {
  const [, from = "", to = ""] = /^(\d*):(\d*)$/.exec(value) ?? [];
  const range = {
    start: from === "" ? first : Number(from),
    end: to === "" ? Number.MAX_SAFE_INTEGER : Number(to),
  };
  if ((from === "" && to === "") || range.start < first || range.end < range.start)
    throw new InvalidArgumentError(`it is FROM:TO, like 200:300, 200: or :300, from ${first} on.`);
  return range;
}

function checkRange({ id, lines, characters }: PastResult, flags: RecallFlags): void {
  if (flags.lines !== undefined && flags.lines.start > lines)
    throw new Error(
      `the result of ${showId(id)} has ${showNumber(lines)} lines, and --lines begins after them`,
    );
  if (flags.chars !== undefined && flags.chars.start > characters)
    throw new Error(
      `the result of ${showId(id)} has ${showNumber(characters)} characters, and --chars begins after them`,
    );
}

function readPart(result: PastResult, { lines, chars, grep }: RecallFlags): string {
  if (chars !== undefined) return result.readCharacters(chars.start, chars.end);
  const text = lines === undefined ? result.content : result.readLines(lines.start, lines.end);
  return grep === undefined ? text : matchLines(text, grep, lines?.start ?? 1);
}

function matchLines(text: string, pattern: string, first: number): string {
  const compiled = compilePattern({ pattern, literal: false, ignoreCase: false, multiline: false });
  if (isRefusal(compiled))
    throw new Error(
      `--grep does not take ${compiled.facts.construct}: the pattern is one of grep's, of linear time`,
    );
  const finder = makeLineFinder(compiled);
  const matching: string[] = [];
  let number = first;
  for (const line of splitLines(text)) {
    const bytes = Buffer.from(line.text);
    for (const hit of finder.find(bytes, 0, bytes.length)) {
      if (hit === undefined) continue;
      matching.push(`${number}:${line.text}\n`);
      break;
    }
    number += 1;
  }
  return matching.join("");
}
