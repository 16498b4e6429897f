/**
 * Owns asking the person at the terminal whether a call may run.
 * Leaves what is asked to permission/. Rule: only on a terminal, and never on standard output; whatever is not a
 * clear yes is a no.
 */
import type { Answer, Approve, Ask } from "../../contract/decision.ts";
import { colorsFor } from "./print.ts";
import { makeSafe } from "./print-safely.ts";

/** Lines of a change or a command that are shown; more than a screen hides the question. */
const FIRST_LINES = 30;
const LAST_LINES = 10;

/** The approver of a terminal; undefined where nobody sits at one. */
export function makeTerminalApprove(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
): Approve | undefined {
  if (!input.isTTY || !output.isTTY) return undefined;
  return async (ask, { signal }) => {
    const { createInterface } = await import("node:readline/promises");
    const lines = createInterface({ input, output });
    try {
      output.write(describeAsk(ask, output));
      return readAnswer(ask, await lines.question(listChoices(ask), { signal }));
    } finally {
      lines.close();
    }
  };
}

function describeAsk(ask: Ask, output: NodeJS.WriteStream): string {
  const colors = colorsFor(output);
  const preview = ask.preview === undefined ? "" : `${shorten(ask.preview)}\n`;
  return `${colors.bold(showPlainly(ask.reason))}\n${preview}`;
}

function listChoices({ suggestedRule }: Ask): string {
  const always = suggestedRule === undefined ? "" : `, [a]lways (${showPlainly(suggestedRule)})`;
  return `Allow it? [y]es, once${always}, [n]o: `;
}

export function readAnswer({ suggestedRule }: Ask, words: string): Answer {
  const answer = words.trim();
  if (/^y(es)?$/i.test(answer)) return { allow: "once" };
  if (/^a(lways)?$/i.test(answer) && suggestedRule !== undefined)
    return { allow: "always", rule: suggestedRule };
  return { deny: /^(no?)?$/i.test(answer) ? "" : answer };
}

/** Both ends: what is harmless for a screen may end otherwise. */
function shorten(text: string): string {
  const lines = showPlainly(text).split("\n");
  const hidden = lines.length - FIRST_LINES - LAST_LINES;
  if (hidden <= 0) return lines.join("\n");
  const gap = `… ${hidden} lines are not shown here …`;
  return [...lines.slice(0, FIRST_LINES), gap, ...lines.slice(-LAST_LINES)].join("\n");
}

/** What a model wrote must not move the cursor of the person who judges it, nor turn the text round. */
function showPlainly(text: string): string {
  return makeSafe(text).replaceAll("\r", "");
}
