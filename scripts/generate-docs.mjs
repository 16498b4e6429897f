/**
 * Owns the pages that are made from the code: docs/tools/, docs/api/, docs/refusals.md, the schemas of the two configurations and
 * the marked parts of README.md.
 * Leaves the facts to the built package and to read-source.mjs. Rule: what is committed equals what this makes;
 * `--check` writes nothing and fails where it differs.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeApiPages } from "./api-pages.mjs";
import { repository } from "./prepare.mjs";
import { readLimits, readReachOf, readRefusalFacts } from "./read-source.mjs";
import { recordCalls } from "./record-calls.mjs";
import { commonCodes, refusalMeanings } from "./refusal-meanings.mjs";

const built = (path) => import(pathToFileURL(join(repository, "dist", path)).href);
const { mountTools } = await built("toolset/mount-tools.js");
const { CATALOG } = await built("tools/catalog.js");
const { publishSchemas } = await built("surfaces/config/published-schemas.js");

/** The definitions of every tool of the catalogue, with the default limits. */
async function collectDefinitions() {
  const root = mkdtempSync(join(tmpdir(), "haft-docs-"));
  // As in a session, which alone can give some tools, with the limits of mounting, which the pages speak of.
  const preset = { prefix: "", tools: CATALOG.map((tool) => tool.name), inSession: true };
  const toolset = mountTools({ catalog: CATALOG, preset }, { root });
  const definitions = toolset.definitions();
  await toolset.close();
  rmSync(root, { recursive: true, force: true });
  return definitions;
}

const cell = (text) => text.replaceAll("|", "\\|").replace(/\s+/g, " ").trim();
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
const firstSentence = (text) => /^[\s\S]*?(?=[.](?:\s|$))/.exec(text)?.[0] ?? text;

function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(", ");
  if (schema.type === "array") return `list of ${schema.items?.type ?? "values"}`;
  return schema.type === "integer" ? "whole number" : (schema.type ?? "value");
}

function argumentRows(schema, prefix = "") {
  return Object.entries(schema.properties ?? {}).flatMap(([name, argument]) => {
    const required = schema.required?.includes(name) ? "yes" : "";
    const row = [`\`${prefix}${name}\``, cell(typeOf(argument)), required, cell(argument.description ?? "")];
    return [row, ...(argument.items?.properties ? argumentRows(argument.items, `${prefix}${name}[].`) : [])];
  });
}

const hint = (value) => (value ? "yes" : "no");

/** Longer than any fence in what came back. */
const FENCE = "````";

function toolPage(definition, { limits, facts, recorded }) {
  const { codes, words } = readReachOf(definition.name);
  const own = [...facts.keys()].filter((code) => codes.has(code) && !commonCodes.includes(code));
  const used = limits.filter(({ name }) => words.has(name));
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = definition.annotations;
  return [
    `# ${definition.name}`,
    "<!-- Made by npm run docs. -->",
    `${title}. What the model reads:`,
    definition.description.replace(/^/gm, "> ").replace(/^> $/gm, ">"),
    "## Arguments",
    table(["Argument", "Type", "Required", "Meaning"], argumentRows(definition.inputSchema)),
    "## Annotations",
    table(
      ["Read-only", "Destructive", "Idempotent", "Open world", "Always loaded"],
      [[readOnlyHint, destructiveHint, idempotentHint, openWorldHint, definition.alwaysLoaded].map(hint)],
    ),
    ...(used.length > 0
      ? [
          "## Limits",
          table(
            ["Limit", "Default", "Meaning"],
            used.map((limit) => [`\`${limit.name}\``, limit.value, cell(limit.doc)]),
          ),
        ]
      : []),
    "## Refusals",
    `Beside those of every call (${commonCodes.map((code) => `\`${code}\``).join(", ")}):`,
    table(
      ["Code", "When"],
      own.map((code) => [`\`${code}\``, cell(refusalMeanings[code])]),
    ),
    "## Recorded calls",
    "Made by a session in a small tree, with what came back:",
    ...recorded.map(({ call, content }) => `${FENCE}text\n> ${call}\n${content}\n${FENCE}`),
    "",
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n");
}

function refusalsPage(facts) {
  return `# Refusals

<!-- Made by npm run docs. -->

\`output.refusal\` has a \`code\` and \`facts\`; \`output.content\` is the text for the model, which names what would work.
Over MCP both travel in \`_meta["haft/refusal"]\`.

${table(
  ["Code", "When", "Facts"],
  [...facts].map(([code, names]) => [
    `\`${code}\``,
    cell(refusalMeanings[code]),
    names.map((name) => `\`${name}\``).join(", "),
  ]),
)}
`;
}

function checkMeanings(facts) {
  const missing = [...facts.keys()].filter((code) => !refusalMeanings[code]);
  const left = Object.keys(refusalMeanings).filter((code) => !facts.has(code));
  if (missing.length + left.length > 0) {
    throw new Error(
      `refusal-meanings.mjs: missing ${missing.join(", ") || "none"}; left over ${left.join(", ") || "none"}`,
    );
  }
}

function fillMarked(page, name, text) {
  const marked = new RegExp(`(<!-- generated: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`);
  if (!marked.test(page)) throw new Error(`README.md has no place marked for ${name}`);
  return page.replace(marked, (_all, start, end) => `${start}\n${text}\n\n${end}`);
}

/** The first program of each SDK, and of OpenAI both, as docs/hosts.md has them. */
function hostPrograms() {
  const page = readFileSync(join(repository, "docs", "hosts.md"), "utf8");
  const shown = [
    ["Anthropic", "Anthropic", 0],
    ["OpenAI, chat completions", "OpenAI", 0],
    ["OpenAI, responses", "OpenAI", 1],
    ["Vercel AI SDK", "Vercel AI SDK", 0],
    ["LangChain", "LangChain", 0],
  ];
  return shown
    .map(([title, section, index]) => {
      const text = page.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
      const program = [...text.matchAll(/^```ts\n[\s\S]*?^```$/gm)][index]?.[0];
      if (program === undefined) throw new Error(`docs/hosts.md has no program ${index} for ${section}`);
      return `### ${title}\n\n${program}`;
    })
    .join("\n\n");
}

async function makePages() {
  const definitions = await collectDefinitions();
  const facts = readRefusalFacts();
  const limits = readLimits();
  checkMeanings(facts);
  const calls = await recordCalls(await built("index.js"));
  const pages = new Map(
    definitions.map((tool) => [
      `docs/tools/${tool.name}.md`,
      toolPage(tool, { limits, facts, recorded: calls.get(tool.name) ?? [] }),
    ]),
  );
  pages.set("docs/refusals.md", refusalsPage(facts));
  for (const [name, text] of makeApiPages(join(repository, "dist"))) pages.set(name, text);
  for (const [name, schema] of publishSchemas())
    pages.set(`docs/${name}`, `${JSON.stringify(schema, null, 2)}\n`);
  const toolRows = definitions.map((tool) => [
    `[\`${tool.name}\`](docs/tools/${tool.name}.md)`,
    cell(firstSentence(tool.description)),
    tool.annotations.readOnlyHint ? "nothing" : "files",
  ]);
  const inForce = new Set(
    definitions.flatMap((tool) =>
      limits.filter((limit) => pages.get(`docs/tools/${tool.name}.md`).includes(limit.name)),
    ),
  );
  const limitRows = limits
    .filter((limit) => inForce.has(limit))
    .map((limit) => [`\`${limit.name}\``, limit.value, cell(limit.doc)]);
  const readme = readFileSync(join(repository, "README.md"), "utf8");
  const withTools = fillMarked(readme, "tools", table(["Tool", "What it does", "Changes"], toolRows));
  const withHosts = fillMarked(withTools, "hosts", hostPrograms());
  pages.set("README.md", fillMarked(withHosts, "limits", table(["Limit", "Default", "Meaning"], limitRows)));
  return pages;
}

const GENERATED = ["tools", "api"];
for (const folder of GENERATED) mkdirSync(join(repository, "docs", folder), { recursive: true });
const check = process.argv.includes("--check");
const pages = await makePages();
const stale = GENERATED.flatMap((folder) =>
  readdirSync(join(repository, "docs", folder)).map((name) => `docs/${folder}/${name}`),
).filter((name) => !pages.has(name));
for (const name of stale) {
  process.stdout.write(`${name} belongs to nothing that is made\n`);
  if (!check) rmSync(join(repository, name));
}
let different = stale.length;
for (const [name, text] of pages) {
  const path = join(repository, name);
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  different += 1;
  process.stdout.write(`${name} ${check ? "is not what npm run docs makes" : "written"}\n`);
  if (!check) writeFileSync(path, text);
}
process.exitCode = check && different > 0 ? 1 : 0;
