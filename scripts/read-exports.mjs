/**
 * Owns reading the public surface out of the declarations that tsc has made: what each entry exports, its docstring, its
 * signature and its members, and the types that those name. Leaves writing pages to api-pages.mjs.
 * Rule: only what a caller can see. A docstring that is missing is an empty text, and a test says so.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync } from "oxc-parser";

const modules = new Map();

/** Everything that an entry exports, by name, and what those mention without exporting it; what the closed mention is left. */
export function readEntry(dist, entry, { closed }) {
  const shown = [...listExports(join(dist, entry))].map(([name, at]) => describe(name, at, dist));
  const known = new Set(shown.map(({ key }) => key));
  const mentioned = [];
  for (const queue = [...shown]; queue.length > 0; ) {
    const one = queue.shift();
    for (const at of closed.includes(one.name) ? [] : one.mentions) {
      if (closed.includes(at.name)) continue;
      const found = describe(at.name, at, dist);
      if (known.has(found.key) || found.kind === "const" || found.kind === "function") continue;
      known.add(found.key);
      mentioned.push(found);
      queue.push(found);
    }
  }
  const byName = (a, b) => (a.name < b.name ? -1 : 1);
  return { shown: shown.sort(byName), mentioned: mentioned.sort(byName) };
}

/** Name → where it is declared. */
function listExports(path) {
  const { exports, declared } = readModule(path);
  return new Map(
    [...exports].map(([name, { local, from }]) => [
      name,
      from === undefined ? { path, ...declared.get(local) } : find(from, local),
    ]),
  );
}

/** Follows re-exports and imports to the declaration. */
function find(path, name) {
  const module = readModule(path);
  const own = module.declared.get(name);
  if (own !== undefined) return { path, ...own };
  const way = module.exports.get(name) ?? module.imports.get(name);
  return way?.from === undefined ? undefined : find(way.from, way.local);
}

function readModule(path) {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, "utf8");
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const module = { text, comments, exports: new Map(), imports: new Map(), declared: new Map() };
  modules.set(path, module);
  for (const node of program.body) readStatement(node, path, module);
  return module;
}

function readStatement(node, path, module) {
  const from = node.source ? follow(path, node.source.value) : undefined;
  if (node.type === "ImportDeclaration") {
    for (const { imported, local } of node.specifiers)
      module.imports.set(local.name, { local: imported?.name ?? "default", from });
    return;
  }
  for (const { local, exported } of node.specifiers ?? [])
    module.exports.set(exported.name, { local: local.name, from });
  const declaration = node.declaration ?? node;
  for (const [name, part] of namesOf(declaration)) {
    module.declared.set(name, { name, node: part, start: node.start, isExported: node !== declaration });
    if (node !== declaration) module.exports.set(name, { local: name });
  }
}

function namesOf(declaration) {
  if (declaration.type === "VariableDeclaration")
    return declaration.declarations.map((one) => [one.id.name, one]);
  return declaration.id?.name === undefined ? [] : [[declaration.id.name, declaration]];
}

/** The declarations beside a compiled module; undefined for packages. */
function follow(path, specifier) {
  if (!specifier.startsWith(".")) return undefined;
  const found = join(dirname(path), specifier.replace(/\.[jt]s$/, ".d.ts"));
  return existsSync(found) ? found : undefined;
}

const KINDS = {
  TSInterfaceDeclaration: "interface",
  TSTypeAliasDeclaration: "type",
  TSDeclareFunction: "function",
  FunctionDeclaration: "function",
  ClassDeclaration: "class",
  VariableDeclarator: "const",
};

function describe(name, { path, node, start }, dist) {
  const module = readModule(path);
  const kind = KINDS[node.type];
  return {
    name,
    kind,
    key: `${relative(dist, path)} ${node.id.name}`,
    doc: docBefore(module, start),
    signature: signatureOf(module, node, kind),
    members: membersOf(module, node),
    mentions: mentionsOf(node, path),
  };
}

/** One declaration; of what has members, the head. */
function signatureOf({ text }, node, kind) {
  const end = kind === "interface" || kind === "class" ? node.body.start : node.end;
  const shown = text.slice(node.start, end);
  const head = kind === "const" ? "const " : "";
  return (
    head +
    shown
      .replace(/^declare /, "")
      .replace(/\n\s*\n/g, "\n")
      .replace(/[ \t]+\n/g, "\n")
      .trim()
  );
}

/**
 * Members with their docstrings, those of members that are objects below them: `shell.env.pass`. Of a choice of shapes
 * there are none: its signature shows them, with what is said of each.
 */
function membersOf(module, node) {
  const body = node.type === "TSTypeAliasDeclaration" ? node.typeAnnotation : node.body;
  return (bodyOf(body) ?? []).flatMap((member) => readMember(module, member, ""));
}

function bodyOf(node) {
  if (node?.type === "TSInterfaceBody" || node?.type === "ClassBody") return node.body;
  if (node?.type === "TSTypeLiteral") return node.members;
  if (node?.type === "TSIntersectionType") return node.types.flatMap((one) => bodyOf(one) ?? []);
  return undefined;
}

function readMember(module, member, above) {
  const { text } = module;
  const key = member.key ?? { start: member.start, end: member.start };
  const name = member.key === undefined ? "(…)" : text.slice(key.start, key.end);
  const path = `${above}${member.computed ? `[${name}]` : name}`;
  const annotation = member.typeAnnotation?.typeAnnotation;
  const inner = isMethod(member) ? undefined : bodyOf(stripUndefined(annotation));
  // Of a class: how one is made is haft's business.
  if (member.kind === "constructor") return [];
  const said = annotation ?? member.value;
  const type = isMethod(member) ? text.slice(key.end, member.end) : text.slice(said?.start, said?.end);
  return [
    {
      path: member.optional ? `${path}?` : path,
      type: inner === undefined ? clean(type.replace(/^\?/, "").replace(/;$/, "")) : "object",
      doc: docBefore(module, member.start),
    },
    ...(inner ?? []).flatMap((one) => readMember(module, one, `${path}.`)),
  ];
}

const METHODS = [
  "TSMethodSignature",
  "MethodDefinition",
  "TSCallSignatureDeclaration",
  "TSAbstractMethodDefinition",
];
const isMethod = ({ type }) => METHODS.includes(type);

function stripUndefined(type) {
  if (type?.type !== "TSUnionType") return type;
  const rest = type.types.filter((one) => one.type !== "TSUndefinedKeyword");
  return rest.length === 1 && type.types.some((one) => one.type === "TSUndefinedKeyword") ? rest[0] : type;
}

function clean(type) {
  return type
    .replace(/\/\*\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ \| undefined$/, "")
    .trim();
}

/** The docstring that ends right before a position. */
function docBefore({ text, comments }, position) {
  const before = comments.findLast(({ end }) => end <= position);
  if (before === undefined || !text.slice(before.start).startsWith("/**")) return "";
  return text.slice(before.end, position).trim() === "" ? readDoc(text.slice(before.start, before.end)) : "";
}

function readDoc(comment) {
  return comment
    .replace(/^\/\*\*|\*\/$/g, "")
    .replace(/^[ \t]*\* ?/gm, "")
    .trim();
}

/** The types of haft's own that a declaration names. */
function mentionsOf(node, path) {
  const names = new Set();
  walk(node, (one) => {
    if (one.type === "TSTypeReference" && one.typeName.type === "Identifier") names.add(one.typeName.name);
    if (one.type === "TSInterfaceHeritage" || one.type === "TSClassImplements")
      names.add(one.expression?.name);
  });
  return [...names].flatMap((name) => find(path, name) ?? []);
}

function walk(node, visit) {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) for (const one of node) walk(one, visit);
  else if (typeof node.type === "string") {
    visit(node);
    for (const value of Object.values(node)) walk(value, visit);
  }
}
