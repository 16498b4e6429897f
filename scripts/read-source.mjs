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
  const interfaces = /export interface \w*RefusalFacts(?: extends [\w, ]+)? \{\n([\s\S]*?)\n\}/g;
  const files = ["refusal", "network-facts", "commitment-refusal"];
  const text = files.map((name) => source(`contract/${name}.ts`)).join("");
  const body = [...text.matchAll(interfaces)].map(([, inner]) => inner).join("\n");
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

/**
 * What a tool can refuse with, and which limits it asks for: what its definition names, what that names in turn, and so
 * on through the imports. A module that is imported for one function counts with that function alone.
 */
export function readReachOf(tool) {
  const reach = { codes: new Set(), words: new Set() };
  visitName(join(repository, "src", "tools", tool, `${tool}.ts`), `${tool}Tool`, { reach, seen: new Set() });
  return reach;
}

function visitName(path, name, walk) {
  const key = `${path} ${name}`;
  if (walk.seen.has(key)) return;
  walk.seen.add(key);
  const { parts, imports } = readModule(path);
  const text = parts.get(name);
  if (text === undefined) {
    const from = imports.get(name);
    if (from !== undefined) visitName(from.path, from.name, walk);
    return;
  }
  for (const [, code] of text.matchAll(/\brefuse\(\s*"([a-z-]+)"/g)) walk.reach.codes.add(code);
  // What connects does so by a port, which is refused by the code of net/.
  if (/\bmayConnect\b/.test(text)) for (const code of networkCodes()) walk.reach.codes.add(code);
  if (/\bfetchText\(/.test(text)) walk.reach.codes.add("content-type");
  for (const [, word] of text.matchAll(/\b([a-z]+(?:Max|Window))\b/g)) walk.reach.words.add(word);
  // A call that is handed to another tool is refused as that one refuses.
  for (const [, tool] of text.matchAll(/\bdelegate\(\s*"([a-z]+)"/g))
    visitName(join(repository, "src", "tools", tool, `${tool}.ts`), `${tool}Tool`, walk);
  for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) {
    if (parts.has(word)) visitName(path, word, walk);
    else if (imports.has(word)) visitName(imports.get(word).path, imports.get(word).name, walk);
  }
}

function networkCodes() {
  const body = /interface NetworkRefusalFacts \{\n([\s\S]*?)\n\}/.exec(
    source("contract/network-facts.ts"),
  )?.[1];
  return [...(body ?? "").matchAll(/^ {2}"([a-z-]+)":/gm)].map(([, code]) => code);
}

const modules = new Map();

/** The outermost declarations of a module by their names, and where each imported name comes from. */
function readModule(path) {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const module = { parts: readParts(code), imports: readImports(code, path) };
  modules.set(path, module);
  return module;
}

function readParts(code) {
  const parts = new Map();
  for (const part of code.split(/^(?=(?:export )?(?:async )?(?:function|const|let|class)\b)/m)) {
    const name = /^(?:export )?(?:async )?(?:function\*?|const|let|class)\s+([\w$]+)/.exec(part)?.[1];
    if (name !== undefined) parts.set(name, part);
  }
  return parts;
}

/** The contract names every code and every limit: that is not using them. */
function readImports(code, path) {
  const imports = new Map();
  for (const [, list, specifier] of code.matchAll(
    /^(?:import|export) (?!type )\{([^}]*)\} from "(\.[^"]+)"/gm,
  )) {
    const target = join(dirname(path), specifier);
    if (!relative(join(repository, "src", "contract"), target).startsWith("..")) continue;
    for (const item of list.split(",")) {
      const [name, alias = name] = item.trim().split(/\s+as\s+/);
      if (name !== "" && !name.startsWith("type ")) imports.set(alias, { path: target, name });
    }
  }
  return imports;
}
