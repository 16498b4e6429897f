/**
 * Owns the pages of docs/api: one for each entry of the package, from what read-exports.mjs finds in its declarations.
 * Leaves writing them to generate-docs.mjs. Rule: what a page says of an export is its docstring; nothing is written here
 * that could stand there.
 */
import { readEntry } from "./read-exports.mjs";

/** The entries of the package: the name to import, the declarations, one sentence. */
export const ENTRIES = [
  ["haft", "index.d.ts", "mounting, sessions, tools of one's own, and the words of all of them"],
  ["haft/files", "files.d.ts", "the file preset alone"],
  ["haft/mcp", "mcp.d.ts", "a session served to MCP clients"],
  ["haft/anthropic", "surfaces/adapters/anthropic.d.ts", "for Anthropic's Messages API"],
  ["haft/openai", "surfaces/adapters/openai.d.ts", "for OpenAI's chat completions and responses"],
  ["haft/ai-sdk", "surfaces/adapters/ai-sdk.d.ts", "for Vercel's AI SDK, versions 6 and 7"],
  ["haft/langchain", "surfaces/adapters/langchain.d.ts", "for LangChain"],
];

/** Told elsewhere, whole; their page is named instead of their members. */
const ELSEWHERE = new Map([
  ["RefusalFacts", "Every code with its facts is in [refusals.md](../refusals.md)."],
  [
    "ToolContext",
    "Inside of haft's own tools; a tool of a host's own gets [`OwnContext`](haft.md#owncontext).",
  ],
]);
/** What these name is haft's own business, or stands under a name of its own. */
const CLOSED = [...ELSEWHERE.keys(), "Tool", "AnyTool", "FileTool", "CatalogTool", "Catalog", "ToolName"];

export const pageOf = (entry) => `docs/api/${entry.replaceAll("/", "-")}.md`;

/** What an entry exports, and what of haft's a reader needs beside it. */
export function readApi(dist, declarations) {
  return readEntry(dist, declarations, { closed: CLOSED });
}

export function makeApiPages(dist) {
  const apis = ENTRIES.map(([entry, path, about]) => ({ entry, about, ...readApi(dist, path) }));
  const pages = new Map(apis.map((api) => [pageOf(api.entry), makePage(api, apis)]));
  pages.set("docs/api/README.md", makeIndex(apis));
  return pages;
}

function makeIndex(apis) {
  const rows = apis.map(({ entry, about, shown }) => {
    const link = pageOf(entry).replace("docs/api/", "");
    return `| [\`${entry}\`](${link}) | ${about} | ${shown.map(({ name }) => `[\`${name}\`](${link}#${anchor(name)})`).join(" ")} |`;
  });
  return `# The API\n\n${MADE}\n\n| Import | What for | Exports |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}

const MADE = "<!-- Made by npm run docs from the docstrings. -->";
const GROUPS = [
  ["Functions", ["function"]],
  ["Constants", ["const"]],
  ["Errors", ["class"]],
  ["Types", ["interface", "type"]],
];

function makePage({ entry, about, shown, mentioned }, apis) {
  const home = apis[0];
  const elsewhere = entry === home.entry ? [] : [...home.shown, ...home.mentioned].map(({ key }) => key);
  const own = (list) => list.filter(({ key }) => !elsewhere.includes(key));
  const parts = [`# \`${entry}\``, MADE, `${about[0].toUpperCase()}${about.slice(1)}.`];
  for (const [title, kinds] of GROUPS) {
    const group = shown.filter(({ kind }) => kinds.includes(kind));
    if (group.length > 0) parts.push(`## ${title}`, ...group.map(makeEntry));
  }
  const beside = own(mentioned);
  if (beside.length > 0)
    parts.push(
      "## Named by these",
      "Not exported by name; here for what they hold.",
      ...beside.map(makeEntry),
    );
  return `${parts.join("\n\n")}\n`;
}

function makeEntry({ name, doc, signature, members, kind }) {
  const parts = [`### \`${name}\``, prose(doc)];
  const told = ELSEWHERE.get(name);
  if (told !== undefined) return [...parts, told].join("\n\n");
  const isPlain = members.length > 0 && (kind === "interface" || kind === "type");
  if (!isPlain || !/^(?:interface|type) \w+(?: =|$)/.test(signature)) parts.push(fence(signature));
  if (members.length > 0)
    parts.push(
      `| Member | Type | Meaning |\n| --- | --- | --- |\n${members
        .map(({ path, type, doc }) => `| \`${path}\` | \`${cell(type)}\` | ${cell(prose(doc))} |`)
        .join("\n")}`,
    );
  return parts.join("\n\n");
}

const fence = (signature) => `\`\`\`text\n${signature}\n\`\`\``;
const cell = (text) => text.replaceAll("|", "\\|").replace(/\s+/g, " ").trim();
const prose = (doc) => doc.replace(/\n(?!\n)/g, "\n").trim();
const anchor = (name) => name.toLowerCase();
