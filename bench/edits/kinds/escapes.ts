/**
 * Owns calls that were escaped once too often on their way: HTML entities, a literal `\n` for a newline.
 * Rule: file and new text hold nothing that looks escaped of itself, so that it is plain what was meant.
 */
import { drawChange } from "../change.ts";
import { cutLines } from "../cut.ts";
import { drawDocument } from "../document.ts";
import { makeLanding } from "../task.ts";
import type { Kind } from "./kind.ts";

const html: Kind = {
  name: "HTML escapes",
  outcome: "land",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document, { max: 8 });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    if (cut === undefined || fresh === undefined) return undefined;
    if ([...cut.lines, ...fresh.map((line) => line.text)].some((line) => /&#?\w+;/.test(line)))
      return undefined;
    const style = random.pick(["angles", "all", "all with quotes"] as const);
    const send = (text: string): string => {
      let sent = style === "angles" ? text : text.replaceAll("&", "&amp;");
      sent = sent.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      return style === "all with quotes" ? sent.replaceAll('"', "&quot;").replaceAll("'", "&#39;") : sent;
    };
    return makeLanding({ kind: this.name, document, cut, fresh, send });
  },
};

const newlines: Kind = {
  name: "literal \\n",
  outcome: "land",
  make(random, corpus) {
    const document = drawDocument(random, corpus);
    const cut = cutLines(random, document, { min: 2, max: 8 });
    const fresh = cut && drawChange(random, { lines: cut.lines, extension: document.extension });
    if (cut === undefined || fresh === undefined) return undefined;
    if ([...cut.lines, ...fresh.map((line) => line.text)].some(isOpen)) return undefined;
    const join = (lines: readonly string[]): string => lines.join("\\n") + (cut.withBreak ? "\\n" : "");
    return makeLanding({ kind: this.name, document, cut, fresh, join });
  },
};

/** A line with an escape, or with a quote that is open at its end: there a literal `\n` may be meant. */
function isOpen(line: string): boolean {
  return line.includes("\\") || ['"', "'", "`"].some((quote) => line.split(quote).length % 2 === 0);
}

export const escapeKinds: readonly Kind[] = [html, newlines];
