/**
 * Owns `read`: text with line numbers, images, notebooks, PDF; a directory is listed, with `grep` a file or tree is searched.
 * Leaves paging to page.ts, PDF to read-pdf.ts, listing and searching to their tools.
 * Rule: reading costs what the answer costs, whatever the size of the file.
 */
import { z } from "zod";
import type { Place } from "../../contract/access.ts";
import type { ToolContext } from "../../contract/context.ts";
import type { Done, Note } from "../../contract/output.ts";
import { isRefusal, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Tool } from "../../contract/tool.ts";
import { type OpenFile, openFile, readWhole } from "../../root/open-file.ts";
import { refuseMissing } from "../../root/suggest.ts";
import { decode, detectForm } from "../../text/encodings.ts";
import { kindOf } from "../../text/kinds.ts";
import { renderNotebook } from "../../text/notebook.ts";
import { sourceOfBytes, withHead } from "./byte-source.ts";
import { type ImageDetails, readImage } from "./read-image.ts";
import { readPdf } from "./read-pdf.ts";
import { readText, type TextDetails } from "./read-text.ts";

/** Bytes at the start of a file that tell what it is. */
const SAMPLE_BYTES = 65_536;
/** An image or notebook is held in memory: beyond 64 MiB neither is for a model. */
const WHOLE_MAX_BYTES = 67_108_864;

const input = z.object({
  path: z.string().describe("File or directory, relative to the root."),
  offset: z.int().optional().describe("First line to show, 1-based."),
  limit: z.int().min(1).optional().describe("Lines to show at most."),
  column: z
    .int()
    .min(1)
    .optional()
    .describe("First character of the line at offset to show, 1-based; for lines too long for one result."),
  grep: z
    .string()
    .optional()
    .describe("Show only matching lines: searches this file, or this directory's tree."),
});

/** What `read` gives for a directory or with `grep` are the details of `list` and `grep`. */
export type ReadDetails =
  | TextDetails
  | ImageDetails
  | { readonly kind: "delegated"; readonly details: unknown };

export const readTool: Tool<"read", typeof input, ReadDetails> = {
  name: "read",
  annotations: {
    title: "Read a file",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  alwaysLoaded: true,
  input,
  describe: ({ limits }) =>
    `Shows a text file with line numbers, at most ${Math.min(limits.unrangedMax, limits.readMax)} bytes of it, or ${limits.readMax} with offset or limit; ` +
    "the result names the call that continues. Images are shown, notebooks and PDF rendered as text, directories listed.",
  access: ({ path }) => ({
    paths: [{ argument: "path", path, effect: "reads", link: "follow", mustExist: true }],
    runs: [],
    connects: [],
  }),
  async run(args, context) {
    const place = context.place("path");
    const result =
      args.grep === undefined
        ? await readPlace(args, place, context)
        : await delegate("grep", { path: args.path, pattern: args.grep }, context);
    return isRefusal(result)
      ? result
      : { ...result, notes: [...(result.notes ?? []), ...notesOf(args, place)] };
  },
};

async function readPlace(args: z.output<typeof input>, place: Place, context: ToolContext) {
  const file = await openFile(context.root, place);
  if (isRefusal(file)) {
    if (file.code === "path-is-directory") return delegate("list", { path: args.path }, context);
    return file.code === "path-missing" ? refuseMissing(context.root, place) : file;
  }
  try {
    return await readOpened({ args, place, context, file });
  } finally {
    await file.close();
  }
}

async function readOpened(of: {
  args: z.output<typeof input>;
  place: Place;
  context: ToolContext;
  file: OpenFile;
}): Promise<Done<ReadDetails> | Refusal> {
  const { args, place, context, file } = of;
  const head = await file.read(0, SAMPLE_BYTES);
  const kind = kindOf(head);
  if (kind.kind === "image") {
    const whole = await readWhole({
      root: context.root,
      place,
      maxBytes: WHOLE_MAX_BYTES,
      signal: context.signal,
    });
    return isRefusal(whole) ? whole : readImage({ bytes: whole.bytes, image: kind.image, place });
  }
  const facts = { path: place.shown, bytes: file.size };
  if (kind.kind === "binary") return refuse("file-binary", { ...facts, kind: kind.name });
  const range = rangeOf(args);
  if (kind.kind === "pdf") return readPdf({ place, range, size: file.size }, context);
  if (place.real.endsWith(".ipynb") && file.size <= WHOLE_MAX_BYTES) {
    const rendered = await renderFile(file);
    if (rendered !== undefined) return readText({ ...rendered, place, range }, context);
  }
  return readText({ source: withHead(file, head), form: await detectForm(head), place, range }, context);
}

function rangeOf(args: z.output<typeof input>) {
  const { offset, limit, column } = args;
  return {
    ...(offset !== undefined && { offset }),
    ...(limit !== undefined && { limit }),
    ...(column !== undefined && { column }),
  };
}

/** A notebook as the text of its cells; undefined where the file is none, and is shown as the text it is. */
async function renderFile(file: OpenFile) {
  const lines = renderNotebook(decode(await file.read(0, file.size), "utf-8"));
  if (lines === undefined) return undefined;
  return {
    source: sourceOfBytes(Buffer.from(`${lines.join("\n")}\n`)),
    form: { encoding: "utf-8", bomBytes: 0 } as const,
    rendering: { kind: "notebook", words: "notebook as text", isPart: false } as const,
  };
}

async function delegate(
  tool: "list" | "grep",
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<Done<ReadDetails> | Refusal> {
  const result = await context.delegate(tool, args);
  return isRefusal(result) ? result : { ...result, details: { kind: "delegated", details: result.details } };
}

function notesOf(args: z.output<typeof input>, place: Place): Note[] {
  const notes: Note[] = [];
  if (place.spelling !== undefined) {
    notes.push({ code: "path-spelling", text: `the name on disk is ${place.spelling}`, audience: "model" });
  }
  if (args.grep !== undefined && (args.offset ?? args.limit ?? args.column) !== undefined) {
    notes.push({
      code: "argument-ignored",
      text: "offset, limit and column say nothing together with grep and were ignored",
      audience: "model",
    });
  }
  return notes;
}
