/**
 * Owns `haft ledger search`: which calls speak of something.
 * Leaves finding to the ledger. Rule: the latest first, a bounded number, and what was left is said.
 */
import { type Command, InvalidArgumentError } from "commander";
import type { SearchHit } from "../../../ledger/search-calls.ts";
import { addLedgerFlags, type LedgerFlags, showId, withLedger } from "../open-ledger-file.ts";
import { printJson, printLine } from "../print.ts";
import { type Column, printTable, showTime } from "../print-table.ts";

/** A screen or two. */
const DEFAULT_HITS = 50;

const COLUMNS: readonly Column[] = [
  { title: "CALL" },
  { title: "STARTED" },
  { title: "TOOL" },
  { title: "LINE", align: "right" },
  { title: "TEXT" },
];

const EXAMPLES = `
A call is found where each word stands in its arguments or its result; letter case does not matter. "Two words" in
quotes (which the shell takes away from you: '"two words"') are one. Every result is read: some 200 MB a second.

Examples:
  haft ledger search timeout
  haft ledger search '"no such file"' build --limit 5`;

interface SearchFlags extends LedgerFlags {
  readonly session?: string;
  readonly limit: number;
}

export function addLedgerSearch(ledger: Command): void {
  const command = ledger
    .command("search")
    .description("find calls by words in their arguments and results, the latest first")
    .argument("<words...>", "all of them are looked for")
    .option("--session <id>", "look in this session only")
    .option("--limit <n>", "at most so many calls", readLimit, DEFAULT_HITS)
    .option("--json", "print them as JSON")
    .addHelpText("after", EXAMPLES);
  addLedgerFlags(command).action((words: string[], flags: SearchFlags) =>
    withLedger(flags, (opened) => {
      const { session, limit } = flags;
      if (session !== undefined && opened.calls(session) === undefined)
        throw new Error(
          `there is no session ${showId(session)} in ${opened.place}; haft ledger sessions lists them`,
        );
      const sessionIds = session === undefined ? {} : { sessionIds: [session] };
      const hits: SearchHit[] = [];
      let isMore = false;
      for (const hit of opened.search({ text: words.join(" "), ...sessionIds })) {
        isMore = hits.length === limit;
        if (isMore) break;
        hits.push(hit);
      }
      if (flags.json) printJson({ hits, more: isMore });
      else if (hits.length === 0) printLine("no call speaks of it");
      else printHits(hits, isMore);
    }),
  );
}

function printHits(hits: readonly SearchHit[], isMore: boolean): void {
  printTable(
    COLUMNS,
    hits.map((hit) => [
      hit.id,
      showTime(hit.startedAtMs),
      hit.tool,
      hit.in === "arguments" ? "args" : String(hit.line),
      hit.text,
    ]),
  );
  if (isMore) process.stderr.write("haft: there are more; --limit takes more of them\n");
}

function readLimit(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError("it is a number from 1.");
  return Number(value);
}
