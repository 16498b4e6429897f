/**
 * Owns reading facts for the generated docs out of the sources: refusal codes, their facts, limits, and which codes a
 * tool can give. Leaves writing pages to generate-docs.mjs. Rule: what stands once in the source is not written again.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { repository } from "./prepare.mjs";

const source = (path) => readFileSync(join(repository, "src", path), "utf8");

/** Each code with the names of its facts, in the order of the source. */
export function readRefusalFacts() {
  const body =
    /export interface RefusalFacts \{\n([\s\S]*?)\n\}/.exec(source("contract/refusal.ts"))?.[1] ?? "";
  const facts = new Map();
  let code;
  for (const line of body.split("\n")) {
    const start = /^ {2}"?([a-z-]+)"?: (.*)$/.exec(line);
    if (start) {
      code = start[1];
      facts.set(code, start[2].startsWith("{") ? namesIn(start[2]) : []);
    } else if (code !== undefined && /^ {4}readonly /.test(line))
      facts.get(code).push(...namesIn(line).slice(0, 1));
  }
  return facts;
}

/** The names of the outermost facts on one line: facts inside a fact are its own business. */
function namesIn(text) {
  let flat = text.replace(/^\{|\};?$/g, "");
  for (let before = ""; before !== flat; ) {
    before = flat;
    flat = flat.replace(/\{[^{}]*\}/g, "");
  }
  return [...flat.matchAll(/readonly (\w+\??):/g)].map((match) => match[1]);
}

/** Each limit with its docstring and its default. */
export function readLimits() {
  const text = source("contract/limits.ts");
  const defaults = new Map(
    [...text.matchAll(/^ {2}(\w+): ([\d_]+),$/gm)].map(([, name, value]) => [
      name,
      Number(value.replaceAll("_", "")),
    ]),
  );
  return [...text.matchAll(/\/\*\* ([^*]+) \*\/\s+readonly (\w+): number;/g)].map(([, doc, name]) => ({
    name,
    doc: doc.replace(/ Default \d+[:,] (.)/, (_all, letter) => ` ${letter.toUpperCase()}`).trim(),
    value: defaults.get(name),
  }));
}

/** What a tool's file and everything it imports can refuse with, and which limits they ask for. */
export function readReachOf(tool) {
  const seen = new Set();
  const codes = new Set();
  const words = new Set();
  const visit = (path) => {
    if (seen.has(path) || !existsSync(path)) return;
    seen.add(path);
    const text = readFileSync(path, "utf8");
    for (const [, code] of text.matchAll(/\brefuse\(\s*"([a-z-]+)"/g)) codes.add(code);
    for (const [, word] of text.matchAll(/\b([a-z]+(?:Max|Window))\b/g)) words.add(word);
    for (const [, specifier] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)"/gm)) {
      const target = join(dirname(path), specifier);
      // The contract names every code and every limit: that is not using them.
      if (relative(join(repository, "src", "contract"), target).startsWith("..")) visit(target);
    }
  };
  visit(join(repository, "src", "tools", tool, `${tool}.ts`));
  return { codes, words };
}
