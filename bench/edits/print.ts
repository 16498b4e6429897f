/**
 * Owns what the benchmark prints. Rule: counts and shares, never times; the same run prints the same text.
 */
import { type Judged, type Tally, tally } from "./score.ts";

const NAME_WIDTH = 34;

export function printTallies(tallies: readonly Tally[]): void {
  console.log(`  ${"kind".padEnd(NAME_WIDTH)} tasks  right  refused  wrong  lines named`);
  for (const { kind, outcome, tasks, right, refused, wrong, named } of tallies) {
    const cells = [pad(tasks, 5), pad(right, 6), pad(refused, 8), pad(wrong, 6)];
    console.log(
      `  ${kind.padEnd(NAME_WIDTH)} ${cells.join(" ")}${outcome === "refuse" ? pad(named, 13) : ""}`,
    );
  }
}

/** One line a tool; shares of the tasks that it could be given. */
export function printComparison(results: readonly { name: string; judged: readonly Judged[] }[]): void {
  const names = results.map(({ name }) => name);
  const width = Math.max(...names.map((name) => name.length)) + 2;
  console.log(`  ${"".padEnd(width)}of those to land:            of those to refuse:`);
  console.log(`  ${"".padEnd(width)}right    refused  other       refused  lines named  other`);
  for (const { name, judged } of results) {
    const land = judged.filter(({ task }) => task.expected.outcome === "land");
    const refuse = judged.filter(({ task }) => task.expected.outcome === "refuse");
    const cells = [
      share(land, (each) => each.verdict === "right").padEnd(9),
      share(land, (each) => each.verdict === "refused").padEnd(9),
      share(land, (each) => each.verdict === "wrong").padEnd(12),
      share(refuse, (each) => each.verdict === "refused").padEnd(9),
      share(refuse, (each) => each.named).padEnd(13),
      share(refuse, (each) => each.verdict === "wrong"),
    ];
    console.log(`  ${name.padEnd(width)}${cells.join("")}`);
  }
  console.log("\n  right landings (refusals where that is right) and wrong ones by kind:");
  printByKind(results);
}

function printByKind(results: readonly { name: string; judged: readonly Judged[] }[]): void {
  const columns = results.map(({ name, judged }) => ({ name: name.slice(0, 16), tallies: tally(judged) }));
  const kinds = columns[0]?.tallies.map(({ kind }) => kind) ?? [];
  console.log(`  ${"".padEnd(NAME_WIDTH)} ${columns.map(({ name }) => name.padStart(17)).join("")}`);
  for (const kind of kinds) {
    const cells = columns.map(({ tallies }) => {
      const found = tallies.find((each) => each.kind === kind);
      if (found === undefined) return "not asked".padStart(17);
      const right = found.outcome === "land" ? found.right : found.refused;
      return `${right} / ${found.wrong} wrong`.padStart(17);
    });
    console.log(`  ${kind.padEnd(NAME_WIDTH)} ${cells.join("")}`);
  }
}

export function printFailures(judged: readonly Judged[]): void {
  for (const { task, answer, after, verdict, named } of judged) {
    const isRight = task.expected.outcome === "land" ? verdict === "right" : verdict === "refused" && named;
    if (isRight) continue;
    console.log(`\n  ${task.kind}: ${verdict}, ${task.extension}, ${task.encoding}`);
    for (const edit of task.edits)
      console.log(`    old ${JSON.stringify(edit.old_text)}\n    new ${JSON.stringify(edit.new_text)}`);
    if (task.expected.outcome === "refuse") console.log(`    wanted ${JSON.stringify(task.expected.named)}`);
    else if (verdict === "wrong") printDifference(after, task.expected.bytes[0]);
    console.log(answer.text.slice(0, 1_200).replace(/^/gm, "    | "));
  }
}

function printDifference(after: Buffer, wanted: Buffer | undefined): void {
  let at = 0;
  while (at < after.length && after[at] === wanted?.[at]) at++;
  const from = Math.max(0, at - 40);
  console.log(`    got    ${JSON.stringify(after.subarray(from, at + 80).toString())}`);
  console.log(`    wanted ${JSON.stringify(wanted?.subarray(from, at + 80).toString())}`);
}

function pad(value: number, width: number): string {
  return String(value).padStart(width);
}

function share(judged: readonly Judged[], holds: (each: Judged) => boolean): string {
  if (judged.length === 0) return "–";
  return `${((judged.filter(holds).length / judged.length) * 100).toFixed(1)} %`;
}
