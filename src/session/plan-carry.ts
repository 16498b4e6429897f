/**
 * Owns what a request carries of a result: the whole, a window of it, or the notice that it is there already; and
 * what of files has thereby been shown. Leaves cutting to text/window.ts, keeping the whole to the ledger.
 * Rule: planned before the call is recorded, so that the ledger says what was carried; carried after.
 */
import type { Sight, ToolOutput } from "../contract/output.ts";
import { keepOnOneLine } from "../text/one-line.ts";
import { clipMiddle, formatCount } from "../text/search-summary.ts";
import { type Windowed, window } from "../text/window.ts";
import type { Mounted } from "../toolset/mounted.ts";
import type { CallRecord } from "./call-records.ts";
import { type RepeatWatch, watchRepeats } from "./repeat-notice.ts";
import { openWithheldSights, type RecalledPart, type WithheldSights } from "./withheld-sights.ts";

export interface CarryPlan {
  readonly windowed: Windowed;
  /** Stands for the result where the request has it already. */
  readonly notice: string | undefined;
  /** What counts as shown, or is known because the call changed it. */
  readonly sights: readonly Sight[];
}

export interface Carrier {
  /** Of a result that leaves the session. */
  plan(record: CallRecord, output: ToolOutput): CarryPlan;
  /** The same for a result that could not be kept: nothing tells how to recall it. */
  withoutRecall(plan: CarryPlan | undefined, output: ToolOutput): CarryPlan;
}

export function openCarrier(mounted: Mounted, options: { readonly repeatNotice: boolean }): Carrier {
  const repeats = watchRepeats(options.repeatNotice);
  const withheld = openWithheldSights();
  return {
    plan(record, output) {
      const { id } = record;
      const recall = mounted.names.name("recall");
      const windowed = window(output.content, { id, recall });
      const notice = noteRepeat(repeats, { record, output, windowed, mounted });
      const sights = countSights(withheld, { record, output, windowed, isNotice: notice !== undefined });
      return { windowed, notice, sights };
    },
    withoutRecall: (plan, output) => ({
      windowed: window(output.content, { id: "", recall: undefined }),
      notice: plan?.notice,
      sights: plan?.sights ?? [],
    }),
  };
}

function noteRepeat(
  repeats: RepeatWatch,
  of: { record: CallRecord; output: ToolOutput; windowed: Windowed; mounted: Mounted },
): string | undefined {
  const { record, output, windowed, mounted } = of;
  const { prepared, call, id } = record;
  // A picture is no text that could be recalled, and a call that was refused before its tool ran is none of a series.
  if (prepared === undefined || record.given.length === 0 || output.images.length > 0) return undefined;
  const repeated = repeats.note({
    id,
    tool: prepared.tool.name,
    key: [String(call.name), JSON.stringify(prepared.input), String(output.isError), output.content],
    characters: windowed.totalChars,
  });
  if (repeated === undefined) return undefined;
  const suggestion = mounted.names.suggest("recall", { id: repeated.id });
  const recall = suggestion === undefined ? "" : `; ${suggestion} returns it`;
  // That it failed, and how, is not to be looked up.
  const failed = output.isError ? `, ${tellFirstLine(output.content)}` : "";
  return `[the same result as ${repeated.id}, ${repeated.times} times in a row${failed}: ${formatCount(windowed.totalChars)} characters${recall}]`;
}

function tellFirstLine(content: string): string {
  return clipMiddle(keepOnOneLine(content.split("\n", 1)[0] ?? ""), 120);
}

function countSights(
  withheld: WithheldSights,
  of: { record: CallRecord; output: ToolOutput; windowed: Windowed; isNotice: boolean },
): readonly Sight[] {
  const { record, output, windowed, isNotice } = of;
  const all = record.given.flatMap((given) => given.sights);
  // What a call changed is known whatever is shown of its report.
  const changed = all.filter((sight) => sight.replace);
  const verbatim = isNotice ? [] : record.given.filter((given) => given.content === output.content);
  const shown = verbatim.flatMap((given) => given.sights).filter((sight) => !sight.replace);
  if (windowed.omitted !== undefined) {
    withheld.keep(record.id, shown, windowed.omitted);
    return changed;
  }
  const part = verbatim.length > 0 ? findRecalled(record, output) : undefined;
  return [...changed, ...shown, ...(part === undefined ? [] : withheld.recall(part))];
}

/** Which part of an earlier result this one shows whole, where it is a recall of one. */
function findRecalled({ prepared }: CallRecord, { isError, details }: ToolOutput): RecalledPart | undefined {
  if (prepared?.tool.name !== "recall" || isError || typeof details !== "object" || details === null)
    return undefined;
  const { kind, id, start, end } = details as Readonly<Record<string, unknown>>;
  if (typeof id !== "string" || typeof start !== "number" || typeof end !== "number") return undefined;
  if (kind === "lines") return { id, kind, start, end };
  return kind === "characters" ? { id, kind: "chars", start, end } : undefined;
}
