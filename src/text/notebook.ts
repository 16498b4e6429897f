/**
 * Owns showing a Jupyter notebook (format 3 and 4) as lines: its cells, numbered, with source and outputs as text.
 * Leaves paging to `read`, and writing notebooks to the edit of their JSON. Rule: every part that is not text is
 * named with its size, never shown and never passed over; a text that is no notebook is none, and stays JSON.
 */
import { stripAnsi } from "./strip-ansi.ts";

type JsonObject = { readonly [key: string]: unknown };

/** Richest first among what can be read as it is; HTML only where there is nothing plainer. */
const TEXT_TYPES = [
  "text/plain",
  "text/markdown",
  "text/latex",
  "application/json",
  "text/html",
  "image/svg+xml",
];

/** The lines of a notebook, without endings; undefined where the text is no notebook. */
export function renderNotebook(json: string): string[] | undefined {
  const notebook = parseObject(json);
  const cells = notebook === undefined ? undefined : findCells(notebook);
  if (notebook === undefined || cells === undefined) return undefined;
  const language = findLanguage(notebook);
  const lines = cells.flatMap((cell, index) => {
    const shown = renderCell(cell, index + 1, language);
    return index === 0 ? shown : ["", ...shown];
  });
  // Escapes in JSON can spell half a surrogate pair, which no tool's text may hold.
  return lines.map((line) => line.replace(/[\ud800-\udfff]/gu, "\ufffd"));
}

function parseObject(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json.startsWith("\ufeff") ? json.slice(1) : json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Format 4 has its cells at the top, format 3 in worksheets. */
function findCells(notebook: JsonObject): readonly JsonObject[] | undefined {
  if (typeof notebook.nbformat !== "number") return undefined;
  if (Array.isArray(notebook.cells)) return listObjects(notebook.cells);
  if (!Array.isArray(notebook.worksheets)) return undefined;
  return listObjects(notebook.worksheets).flatMap((sheet) => listObjects(sheet.cells));
}

function findLanguage(notebook: JsonObject): string {
  const metadata = isObject(notebook.metadata) ? notebook.metadata : {};
  const kernel = isObject(metadata.kernelspec) ? metadata.kernelspec.language : undefined;
  const info = isObject(metadata.language_info) ? metadata.language_info.name : undefined;
  return [info, kernel].find(isText) ?? "";
}

function renderCell(cell: JsonObject, number: number, language: string): string[] {
  const kind = typeof cell.cell_type === "string" ? cell.cell_type : "unknown";
  const run = cell.execution_count ?? cell.prompt_number;
  const ran = typeof run === "number" ? ` In [${run}]` : "";
  const spoken = kind === "code" && language !== "" ? ` (${language})` : "";
  const lines = [
    `[cell ${number}] ${oneLine(kind)}${oneLine(spoken)}${ran}`,
    ...splitSource(joinText(cell.source ?? cell.input)),
  ];
  for (const name of listAttachments(cell)) lines.push(`[attachment: ${name}]`);
  for (const output of listObjects(cell.outputs)) lines.push(...renderOutput(output, number));
  return lines;
}

function listAttachments(cell: JsonObject): string[] {
  return isObject(cell.attachments) ? Object.keys(cell.attachments).map(oneLine) : [];
}

function renderOutput(output: JsonObject, number: number): string[] {
  const head = (kind: string): string => `[output of cell ${number}: ${kind}]`;
  switch (output.output_type) {
    case "stream": {
      const name = output.name ?? output.stream;
      return [
        head(typeof name === "string" ? oneLine(name) : "stream"),
        ...splitOutput(joinText(output.text)),
      ];
    }
    case "error":
    case "pyerr": {
      const traceback = Array.isArray(output.traceback) ? output.traceback.filter(isText).join("\n") : "";
      const summary = [output.ename, output.evalue].filter(isText).join(": ");
      return [head("error"), ...splitOutput(traceback === "" ? summary : traceback)];
    }
    case "execute_result":
    case "pyout":
      return [head("result"), ...renderData(output)];
    case "display_data":
    case "update_display_data":
      return [head("display"), ...renderData(output)];
    default:
      return [head(isText(output.output_type) ? oneLine(output.output_type) : "unknown")];
  }
}

/** One form of what an output offers in several: its best text, and every image by name. */
function renderData(output: JsonObject): string[] {
  const data = isObject(output.data) ? output.data : namedByType(output);
  const lines: string[] = [];
  const best = TEXT_TYPES.find((type) => type in data);
  for (const type of Object.keys(data).sort()) {
    if (type.startsWith("image/") && type !== best)
      lines.push(`[${oneLine(type)}, ${measure(data[type])}, not shown]`);
  }
  if (best !== undefined) {
    const value = data[best];
    const text = best === "application/json" ? JSON.stringify(value) : joinText(value);
    if (best !== "text/plain") lines.push(`[${best}]`);
    lines.push(...splitOutput(text));
  } else if (lines.length === 0) {
    lines.push(
      ...Object.keys(data)
        .sort()
        .map((type) => `[${oneLine(type)}, not shown]`),
    );
  }
  return lines;
}

/** Format 3 puts each form beside the others under a short name. */
function namedByType(output: JsonObject): JsonObject {
  const names: readonly (readonly [short: string, type: string])[] = [
    ["text", "text/plain"],
    ["html", "text/html"],
    ["latex", "text/latex"],
    ["svg", "image/svg+xml"],
    ["png", "image/png"],
    ["jpeg", "image/jpeg"],
  ];
  return Object.fromEntries(
    names.flatMap(([short, type]) => (short in output ? [[type, output[short]]] : [])),
  );
}

/** Bytes of base64, without unpacking it. */
function measure(value: unknown): string {
  const text = joinText(value).replace(/[\s=]+/g, "");
  return `${Math.floor((text.length * 3) / 4)} bytes`;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Texts stand in notebooks whole or as a list of lines that keep their endings. */
function joinText(value: unknown): string {
  if (Array.isArray(value)) return value.filter(isText).join("");
  return isText(value) ? value : "";
}

function splitSource(text: string): string[] {
  const lines = text.split(/\r\n?|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Lines without colours; of a line that was redrawn with `\r`, what was left standing. */
function splitOutput(text: string): string[] {
  const lines = stripAnsi(text).split("\n").map(keepLastDrawn);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function keepLastDrawn(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end--;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

/** A name from the file that must not break the line it is put in. */
function oneLine(name: string): string {
  return stripAnsi(name).replace(/\s+/g, " ").slice(0, 200);
}
