/**
 * Owns `edit`: exact replacements in one file, all or nothing, one atomic write.
 * Leaves matching and splicing to text/replace.ts, the disk to root/, refusal prose to the toolset.
 * Rule: nothing is written unless every edit fits exactly one place (or says `replace_all`).
 */
import { z } from "zod";
import type { Place } from "../../contract/access.ts";
import type { ToolContext } from "../../contract/context.ts";
import type { Note, Sight } from "../../contract/output.ts";
import { isRefusal, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Tool } from "../../contract/tool.ts";
import { withLocks } from "../../root/lock.ts";
import { type FileVersion, type Whole, withWhole } from "../../root/open-file.ts";
import { guardGenerated } from "../../root/protect.ts";
import { replaceFile } from "../../root/replace-file.ts";
import { finishIn, makeSlices } from "../../root/search-pump.ts";
import { refuseMissing } from "../../root/suggest.ts";
import { describeCallMarkup } from "../../text/call-markup.ts";
import { unifiedDiff } from "../../text/diff.ts";
import { detectForm, firstInvalidUtf8, type TextForm } from "../../text/encodings.ts";
import { kindOf } from "../../text/kinds.ts";
import { keepOnOneLine } from "../../text/one-line.ts";
import { applyEditsInSteps, type EditedText, type LandedEdit } from "../../text/replace.ts";
import { coverageOf, seeWhole, shiftSeen } from "../../text/seen.ts";
import { noteEndings } from "./note-endings.ts";
import { nameLines, noteTolerance } from "./note-tolerance.ts";
import { refuseEdit } from "./refuse-edit.ts";
import { shortenHunks } from "./shorten-hunks.ts";

/** An edit holds the file in memory: 256 MiB is beyond any source file and well inside a default heap. */
const EDIT_MAX_BYTES = 268_435_456;
/** Bytes at the start of a file that tell its kind, encoding and generated header. */
const SAMPLE_BYTES = 65_536;
/** How far into a file a NUL makes it binary; text that carries one further on can still be edited byte for byte. */
const BINARY_SAMPLE_BYTES = 8_192;

const input = z.object({
  path: z.string().describe("File to change, relative to the root."),
  edits: z
    .array(
      z.object({
        old_text: z
          .string()
          .min(1)
          .describe(
            "Text to replace, exactly as it stands in the file, without line numbers. Must occur once.",
          ),
        new_text: z.string().describe("Text to put in its place. Nothing in it is special."),
        replace_all: z.boolean().optional().describe("Replace every occurrence."),
        // Set by an alias alone: a call made for another tool may say how many places it means.
        expected_replacements: z.int().min(2).optional().meta({ hidden: true }),
      }),
    )
    .min(1)
    .describe("Applied in order, each to the result of the one before; if one fails, nothing is written."),
});

export interface EditDetails {
  readonly path: string;
  /** One entry an edit: the lines of the new file at which it landed, and how its text was found. */
  readonly edits: readonly LandedEdit[];
  /** The full unified diff, which `patch -p1` accepts for every UTF-8 file. */
  readonly patch: string;
  readonly bytes: { readonly before: number; readonly after: number };
}

export const editTool: Tool<"edit", typeof input, EditDetails> = {
  name: "edit",
  annotations: {
    title: "Edit a file",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  alwaysLoaded: false,
  input,
  describe: ({ limits }) =>
    `Replaces text in one file. Each old_text must occur exactly once (or set replace_all); edits apply in order, all or nothing. ` +
    `Line endings, encoding and all other bytes stay as they are. Returns the diff, at most ${limits.readMax} bytes of it.`,
  access: ({ path }) => ({
    paths: [{ argument: "path", path, effect: "writes", link: "follow", mustExist: true }],
    runs: [],
    connects: [],
  }),
  run(args, context) {
    const place = context.place("path");
    return withLocks({ paths: [place.real], signal: context.signal }, () => editFile(args, place, context));
  },
  async preview(args, context) {
    const place = context.place("path");
    const request = { root: context.root, place, maxBytes: EDIT_MAX_BYTES, signal: context.signal };
    return withWhole(request, async (whole) => {
      const applied = await applyTo(args, { place, context, whole });
      return isRefusal(applied) ? applied : (await diffOf({ ...applied, place })).patch;
    });
  },
};

interface Opened {
  readonly bytes: Buffer;
  readonly version: FileVersion;
  readonly form: TextForm;
  readonly firstBadOffset: number;
}

async function editFile(args: z.output<typeof input>, place: Place, context: ToolContext) {
  const request = { root: context.root, place, maxBytes: EDIT_MAX_BYTES, signal: context.signal };
  const result = await withWhole(request, (whole) => editWhole(args, { place, context, whole }));
  if (!isRefusal(result)) return result;
  if (result.code === "path-missing") return refuseMissing(context.root, place);
  if (result.code !== "path-is-directory") return result;
  return refuse("path-is-directory", { path: place.shown, operation: "edit" });
}

interface Editing {
  readonly place: Place;
  readonly context: ToolContext;
  readonly whole: Whole;
}

/** The file with its edits, or why it cannot have them. Nothing is written. */
async function applyTo(
  args: z.output<typeof input>,
  { place, context, whole }: Editing,
): Promise<{ opened: Opened; edited: EditedText } | Refusal> {
  const opened = await judgeWhole(whole, place, context);
  if (isRefusal(opened)) return opened;
  const { bytes, form, firstBadOffset } = opened;
  const edits = args.edits.map((edit) => ({
    oldText: edit.old_text,
    newText: edit.new_text,
    replaceAll: edit.replace_all ?? false,
    ...(edit.expected_replacements !== undefined && { expectedCount: edit.expected_replacements }),
  }));
  const strict = context.options.strictEdits;
  const work = applyEditsInSteps({ bytes, ...form, asciiOnly: firstBadOffset !== -1, strict }, edits);
  const edited = await finishIn(makeSlices(context.signal), work);
  if ("kind" in edited) {
    return refuseEdit(edited, { path: place.shown, edits, encoding: form.encoding, firstBadOffset });
  }
  if (breaksNotebook(place, bytes, edited.after)) return refuse("notebook-broken", { path: place.shown });
  return { opened, edited };
}

async function editWhole(args: z.output<typeof input>, { place, context, whole }: Editing) {
  const applied = await applyTo(args, { place, context, whole });
  if (isRefusal(applied)) return applied;
  const { opened, edited } = applied;
  context.ports.keepOldBytes?.(place.real, opened.bytes);
  const replaced = await replaceFile({
    root: context.root,
    place,
    pieces: [edited.after],
    expected: opened.version,
    signal: context.signal,
  });
  if (isRefusal(replaced)) return replaced;
  const done = await report({ edited, place, context, opened });
  return { ...done, notes: [...done.notes, ...notesOfMarkup(args)] };
}

function notesOfMarkup({ edits }: z.output<typeof input>): Note[] {
  return edits.flatMap((edit, index) => {
    const text = describeCallMarkup(`edits[${index}].new_text`, edit.new_text);
    return text === undefined ? [] : [{ code: "other" as const, text, audience: "model" as const }];
  });
}

/** `read` shows the cells of a notebook, an edit changes its JSON: one that leaves no JSON was meant otherwise. */
function breaksNotebook(place: Place, before: Buffer, after: Buffer): boolean {
  return place.real.endsWith(".ipynb") && isJson(before) && !isJson(after);
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

/** Whether the file may be edited, and in which form. */
async function judgeWhole(
  { bytes, version }: Whole,
  place: Place,
  context: ToolContext,
): Promise<Opened | Refusal> {
  const head = bytes.subarray(0, SAMPLE_BYTES);
  const form = await detectForm(head);
  const binary = refuseBinary(bytes, form, place);
  if (binary !== undefined) return binary;
  const generated = guardGenerated(context.root, place, head);
  if (generated !== undefined) return generated;
  if (version.nlink > 1)
    return refuse("file-hard-links", { path: place.shown, count: Number(version.nlink) });
  const isWide = form.encoding === "utf-16le" || form.encoding === "utf-16be";
  return { bytes, version, form, firstBadOffset: isWide ? -1 : firstInvalidUtf8(bytes) };
}

function refuseBinary(bytes: Buffer, form: TextForm, place: Place): Refusal | undefined {
  const kind = kindOf(bytes.subarray(0, SAMPLE_BYTES));
  const facts = { path: place.shown, bytes: bytes.length };
  if (kind.kind === "image")
    return refuse("file-binary", { ...facts, kind: `${kind.image.toUpperCase()} image` });
  if (kind.kind === "pdf") return refuse("file-binary", { ...facts, kind: "PDF document" });
  if (kind.kind === "binary") return refuse("file-binary", { ...facts, kind: kind.name });
  const isWide = form.encoding === "utf-16le" || form.encoding === "utf-16be";
  const hasNul = !isWide && bytes.subarray(0, BINARY_SAMPLE_BYTES).includes(0);
  return hasNul ? refuse("file-binary", { ...facts, kind: "binary" }) : undefined;
}

function diffOf({ edited, place, opened }: { edited: EditedText; place: Place; opened: Opened }) {
  return unifiedDiff({
    path: place.shown,
    before: opened.bytes,
    after: edited.after,
    splices: edited.splices,
    encoding: opened.form.encoding,
  });
}

async function report(of: { edited: EditedText; place: Place; context: ToolContext; opened: Opened }) {
  const { edited, place, context, opened } = of;
  const { patch, hunks } = await diffOf(of);
  const lines = [...new Set(edited.landed.flatMap((edit) => edit.lines))].sort((a, b) => a - b);
  const count = edited.landed.length;
  const heading = `${keepOnOneLine(place.shown)}: ${count} ${count === 1 ? "edit" : "edits"} applied (${nameLines(lines)})`;
  const shown = shortenHunks({ hunks, maxBytes: context.limits.readMax, place, names: context.names });
  return {
    content: `${heading}\n${shown}`,
    details: {
      path: place.shown,
      edits: edited.landed,
      patch,
      bytes: { before: opened.bytes.length, after: edited.after.length },
    },
    notes: [...noteEndings(edited.keptBreaks, context.names), ...notesOf(edited, place)],
    sights: [sightAfter({ edited, place, context, before: opened.bytes })],
    changed: [place.shown],
  };
}

function notesOf(edited: EditedText, place: Place): Note[] {
  const notes = edited.landed.flatMap((edit, index) => noteTolerance(edit, index));
  if (place.spelling === undefined) return notes;
  return [
    ...notes,
    { code: "path-spelling", text: `the name on disk is ${place.spelling}`, audience: "model" },
  ];
}

/** An edit keeps a known file known, and moves what was seen of a file that is known in part. */
function sightAfter(of: { edited: EditedText; place: Place; context: ToolContext; before: Buffer }): Sight {
  const { edited, place, context, before } = of;
  const coverage = coverageOf(context.ports.seen(place.real), before);
  const ranges = coverage.known
    ? [seeWhole(edited.after)]
    : shiftSeen(coverage.valid, edited.splices, edited.after);
  return { file: place.real, ranges, replace: true };
}
