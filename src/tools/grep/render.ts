/**
 * Owns the text of a search: the first line with its counts, then each file with its lines.
 * Leaves finding to the engines. Rule: nothing here depends on the engine, and what is not shown is said first.
 */
import type { ToolContext } from "../../contract/context.ts";
import type { Done, Note } from "../../contract/output.ts";
import { showEntryPath } from "../../root/show-path.ts";
import { decode, detectForm } from "../../text/encodings.ts";
import type { Row } from "../../text/match-rows.ts";
import { findText } from "../../text/path-text.ts";
import { clipMiddle, countOf, describeLeftOut, fitPage, formatCount } from "../../text/search-summary.ts";
import type { FoundFile, SearchJob, SearchOutcome } from "./engine.ts";
import type { GrepDetails, GrepFile } from "./grep.ts";

/** What of the arguments a suggested call carries on. */
interface AskedSearch {
  readonly pattern: string;
  readonly path?: string | undefined;
  readonly glob?: string | undefined;
  readonly ignore_case?: boolean | undefined;
  readonly literal?: boolean | undefined;
  readonly multiline?: boolean | undefined;
}

interface Rendering {
  readonly args: AskedSearch;
  readonly context: ToolContext;
  readonly job: SearchJob;
  readonly outcome: SearchOutcome;
  /** An ignored file that matches where nothing else does. */
  readonly hidden: string | undefined;
  readonly notes: readonly Note[];
  readonly engine: GrepDetails["engine"];
}

/** One line of the answer, and what it shows. */
interface Line {
  readonly text: string;
  readonly file: number;
  readonly row?: Row;
}

export async function renderOutcome(at: Rendering): Promise<Done<GrepDetails>> {
  const { job, outcome, notes, engine } = at;
  const files = await Promise.all(outcome.found.map(decodeRows));
  const lines = files.flatMap((file, index) => renderFile(job, file, index));
  const page = fitPage({
    lines: lines.map(({ text }) => text),
    resultMax: at.context.limits.resultMax,
    renderHead: (count) => renderHead(at, lines.slice(0, count)),
  });
  const kept = lines.slice(0, page.kept);
  const results = collectResults(job, files, kept);
  const { counts } = outcome;
  return {
    content: page.content,
    details: {
      engine,
      mode: job.mode,
      path: job.place.shown,
      matches: outcome.matches,
      files: outcome.files,
      searched: outcome.searched,
      skipped: { binary: outcome.binary, tooLarge: outcome.tooLarge, unreadable: counts.unreadable.length },
      ignored: counts.ignored,
      withheld: [...counts.withheld.values()].reduce((sum, count) => sum + count, 0),
      complete: !outcome.stopped,
      results,
    },
    notes,
  };
}

/** Bytes that are no UTF-8 are shown in the encoding that the file seems to have, as `read` shows them. */
async function decodeRows(file: FoundFile): Promise<FoundFile> {
  if (file.sample === undefined) return file;
  const { encoding } = await detectForm(file.sample);
  const rows = file.rows.map((row) =>
    row.raw === undefined ? row : { ...row, text: decode(row.raw, encoding) },
  );
  return { ...file, rows };
}

function renderFile(job: SearchJob, file: FoundFile, index: number): Line[] {
  const path = showEntryPath(job.place, file.path);
  if (job.mode === "files") return [{ text: path, file: index }];
  if (job.mode === "count") return [{ text: `${path}:${file.matches}`, file: index }];
  return [
    { text: path, file: index },
    ...file.rows.map((row) => ({ text: renderRow(job, row), file: index, row })),
  ];
}

function renderRow(job: SearchJob, row: Row): string {
  if (row.kind === "gap") return "--";
  const mark = row.kind === "match" ? ":" : "-";
  const before = row.cutBefore === true ? "…" : "";
  const after = row.cutAfter === true ? "…" : "";
  const text = [...row.text].slice(0, job.lineWindow).join("");
  const where =
    row.characters === undefined
      ? ""
      : row.column === undefined
        ? ` [${formatCount(row.characters)} characters]`
        : ` [column ${row.column} of ${row.characters}]`;
  return `${row.line}${mark}${before}${text}${after}${where}`;
}

function renderHead({ args, context, job, outcome, hidden }: Rendering, kept: readonly Line[]): string {
  const { counts } = outcome;
  const parts = [describeFound(job, outcome), ...describePage(job, outcome, kept)];
  if (job.pattern.taken !== undefined) parts.push(job.pattern.taken);
  parts.push(`searched ${outcome.stopped ? "at least " : ""}${countOf(outcome.searched, "file")}`);
  if (outcome.searched === 0 && args.glob !== undefined)
    parts.push(`no file matches glob ${clipMiddle(JSON.stringify(args.glob))}`);
  const skipped = [
    ...(outcome.binary > 0 ? [`${formatCount(outcome.binary)} binary`] : []),
    ...(outcome.tooLarge > 0 ? [`${formatCount(outcome.tooLarge)} too large`] : []),
  ];
  if (skipped.length > 0) parts.push(`skipped ${skipped.join(", ")}`);
  if (job.single && outcome.binary > 0) parts.push(describeBinary(context, job));
  parts.push(...describeLeftOut(counts, (path) => showEntryPath(job.place, path)));
  if (hidden !== undefined) {
    const path = showEntryPath(job.place, hidden);
    const usable = findText(hidden) === path.slice(path.length - hidden.length);
    const call = usable ? suggestCall(context, args, { path, glob: undefined }) : undefined;
    parts.push(`an ignored file matches: ${call ?? clipMiddle(path)}`);
  }
  if (outcome.stopped || kept.length < countShowable(job, outcome)) {
    const suggestion = job.mode === "content" ? suggestCall(context, args, { mode: "files" }) : undefined;
    if (suggestion !== undefined) parts.push(`for all files: ${suggestion}`);
  }
  return parts.join("; ");
}

/** What was asked for itself was not looked into: "no matches" would be taken for an answer. */
function describeBinary({ names }: ToolContext, { place }: SearchJob): string {
  const call = names.suggest("read", { path: place.shown });
  return `this file itself is binary and was not searched${call === undefined ? "" : `; see what it is: ${call}`}`;
}

function describeFound(job: SearchJob, { matches, files, stopped }: SearchOutcome): string {
  if (files === 0) return "no matches";
  const least = stopped ? "at least " : "";
  if (job.mode === "files") return `${least}${countOf(files, "file has matches", "files have matches")}`;
  return `${least}${countOf(matches, "match", "matches")} in ${least}${countOf(files, "file")}`;
}

function describePage(job: SearchJob, outcome: SearchOutcome, kept: readonly Line[]): string[] {
  if (job.mode !== "content") {
    return kept.length < outcome.files ? [`showing the first ${countOf(kept.length, "file")}`] : [];
  }
  const shown = countShown(job, kept);
  return shown < outcome.matches ? [`showing the first ${formatCount(shown)}`] : [];
}

/** With `multiline` a match may take several rows; each begins where the one before has ended. */
function countShown(_job: SearchJob, kept: readonly Line[]): number {
  return kept.filter(({ row }) => row?.kind === "match" && row.first !== false).length;
}

function countShowable(job: SearchJob, outcome: SearchOutcome): number {
  return job.mode === "content" ? outcome.matches : outcome.files;
}

const MAX_SUGGESTION = 600;

function suggestCall(
  context: ToolContext,
  { pattern, path, glob, ignore_case, literal, multiline }: AskedSearch,
  change: Readonly<Record<string, unknown>>,
): string | undefined {
  const args = { pattern, path, glob, ignore_case, literal, multiline, ...change };
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== false);
  const call = context.names.suggest("grep", Object.fromEntries(given));
  // A call that is cut could not be made.
  return call === undefined || call.length > MAX_SUGGESTION ? undefined : call;
}

function collectResults(job: SearchJob, files: readonly FoundFile[], kept: readonly Line[]): GrepFile[] {
  const shown = new Map<number, Row[]>();
  for (const { file, row } of kept) {
    const rows = shown.get(file) ?? [];
    if (row !== undefined && row.kind !== "gap") rows.push(row);
    shown.set(file, rows);
  }
  return [...shown].map(([index, rows]) => {
    const file = files[index] as FoundFile;
    const lines = rows.map(({ line, text, kind }) => ({ line, text, match: kind === "match" }));
    return { path: showEntryPath(job.place, file.path), matches: file.matches, lines };
  });
}
