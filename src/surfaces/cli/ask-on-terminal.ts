/**
 * Owns asking the person at the terminal whether a call may run.
 * Leaves what is asked to permission/. Rule: only on a terminal, and never on standard output; whatever is not a
 * clear yes is a no.
 */
import { createInterface } from "node:readline/promises";
import type { Answer, Approve, Ask } from "../../contract/decision.ts";
import { colorsFor } from "./print.ts";

/** Lines of a change that are shown; more than a screen hides the question. */
const PREVIEW_LINES = 40;

/** The approver of a terminal; undefined where nobody sits at one. */
export function makeTerminalApprove(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
): Approve | undefined {
  if (!input.isTTY || !output.isTTY) return undefined;
  return async (ask, { signal }) => {
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

function shorten(text: string): string {
  const lines = showPlainly(text).split("\n");
  if (lines.length <= PREVIEW_LINES) return lines.join("\n");
  return `${lines.slice(0, PREVIEW_LINES).join("\n")}\n… ${lines.length - PREVIEW_LINES} more lines`;
}

/** What a model wrote must not move the cursor of the person who judges it. */
function showPlainly(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\uFFFD");
}
