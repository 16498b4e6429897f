/**
 * Owns `write`: one whole file, created with its parents or overwritten, in one atomic step.
 * Leaves the disk to root/ and what was seen to guard-unread.ts.
 * Rule: text that the session has not been shown is never overwritten unless the call says so.
 */
import { z } from "zod";
import type { Place } from "../../contract/access.ts";
import type { ToolContext } from "../../contract/context.ts";
import type { Done, Note } from "../../contract/output.ts";
import { isRefusal, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Tool } from "../../contract/tool.ts";
import { inspect } from "../../root/inspect.ts";
import { withLocks } from "../../root/lock.ts";
import { type FileVersion, withWhole } from "../../root/open-file.ts";
import { guardGenerated } from "../../root/protect.ts";
import { replaceFile } from "../../root/replace-file.ts";
import { describeCallMarkup } from "../../text/call-markup.ts";
import { unifiedDiff } from "../../text/diff.ts";
import { countLinesOf } from "../../text/newline-scanner.ts";
import { keepOnOneLine } from "../../text/one-line.ts";
import { seeWhole } from "../../text/seen.ts";
import { describeForm } from "./describe-form.ts";
import { guardUnread } from "./guard-unread.ts";

/** An existing file is read to compare it with what was shown; past 256 MiB it cannot have been shown whole. */
const COMPARE_MAX_BYTES = 268_435_456;
/** A diff of more than 16 MiB is nothing that a person looks through. */
const PREVIEW_MAX_BYTES = 16_777_216;
/** Bytes at the start of a file that hold its generated header. */
const SAMPLE_BYTES = 65_536;

const input = z.object({
  path: z.string().describe("File to write, relative to the root. Missing directories are made."),
  content: z.string().describe("The whole new text of the file. An empty string makes an empty file."),
  overwrite: z
    .boolean()
    .optional()
    .describe("Replace an existing file although its present text was not read in full."),
});

export interface WriteDetails {
  readonly path: string;
  readonly created: boolean;
  /** False where the file already held this very text and was left alone. */
  readonly changed: boolean;
  readonly bytes: { readonly before?: number; readonly after: number };
  readonly lines: { readonly before?: number; readonly after: number };
}

export const writeTool: Tool<"write", typeof input, WriteDetails> = {
  name: "write",
  annotations: {
    title: "Write a file",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  alwaysLoaded: false,
  input,
  describe: ({ names }) => {
    const edit = names.name("edit");
    const prefer = edit === undefined ? "" : ` To change part of a file, ${edit} is safer.`;
    return `Writes a whole file, atomically, and makes missing directories. An existing file is replaced only if its present text was read in full, or with overwrite: true.${prefer}`;
  },
  access: ({ path }) => ({
    paths: [{ argument: "path", path, effect: "writes", link: "follow", mustExist: false }],
    runs: [],
    connects: [],
  }),
  run(args, context) {
    const place = context.place("path");
    return withLocks({ paths: [place.real], signal: context.signal }, () => writeFile(args, place, context));
  },
  preview: (args, context) => previewWrite(args, { place: context.place("path"), context }),
};

async function previewWrite(
  args: z.output<typeof input>,
  { place, context }: { place: Place; context: ToolContext },
): Promise<string | Refusal | undefined> {
  const state = await inspect(context.root, place);
  if (isRefusal(state)) return state;
  const after = Buffer.from(args.content, "utf8");
  if (state.kind === "missing") return diffTo(place, { before: Buffer.alloc(0), after });
  const request = { root: context.root, place, maxBytes: PREVIEW_MAX_BYTES, signal: context.signal };
  const diff = await withWhole(request, async ({ bytes, version }) => {
    const standing = { bytes, size: bytes.length, version };
    const guarded = bytes.equals(after) ? undefined : guardOverwrite({ args, place, context, standing });
    return guarded ?? (await diffTo(place, { before: bytes, after }));
  });
  return isRefusal(diff) && diff.code === "file-too-large" ? undefined : diff;
}

async function diffTo(place: Place, of: { before: Buffer; after: Buffer }): Promise<string> {
  return (await unifiedDiff({ path: place.shown, ...of })).patch;
}

/** The file that stands there now; `bytes` is absent where it is too large to compare. */
interface Standing {
  readonly bytes?: Buffer;
  readonly size: number;
  readonly version: FileVersion | "any";
}

async function writeFile(args: z.output<typeof input>, place: Place, context: ToolContext) {
  const state = await inspect(context.root, place);
  if (isRefusal(state)) return state;
  const fresh = Buffer.from(args.content, "utf8");
  if (state.kind === "directory")
    return refuse("path-is-directory", { path: place.shown, operation: "write" });
  if (state.kind === "missing") {
    if (/[/]\.?$/.test(args.path))
      return refuse("path-invalid", { path: args.path, reason: "it names a directory; name a file in it" });
    const made = await land({ place, context, fresh, expected: "absent" });
    return isRefusal(made) ? made : withMarkup(reportCreated(place, fresh), args.content);
  }
  const request = { root: context.root, place, maxBytes: COMPARE_MAX_BYTES, signal: context.signal };
  const done = await withWhole(request, ({ bytes, version }) =>
    overwrite({ args, place, context, fresh }, { bytes, size: bytes.length, version }),
  );
  if (!isRefusal(done) || done.code !== "file-too-large") return done;
  return overwrite({ args, place, context, fresh }, { size: done.facts.bytes, version: "any" });
}

interface Overwriting {
  readonly args: z.output<typeof input>;
  readonly place: Place;
  readonly context: ToolContext;
  readonly fresh: Buffer;
}

async function overwrite({ args, place, context, fresh }: Overwriting, standing: Standing) {
  if (standing.bytes?.equals(fresh)) return reportUnchanged(place, fresh);
  const guarded = guardOverwrite({ args, place, context, standing });
  if (guarded !== undefined) return guarded;
  if (standing.bytes !== undefined) context.ports.keepOldBytes?.(place.real, standing.bytes);
  const explicit = args.overwrite === true;
  const landed = await land({ place, context, fresh, expected: standing.version, breakHardLinks: explicit });
  if (isRefusal(landed)) return landed;
  const report = await reportOverwritten({ place, fresh, standing, otherNames: landed.otherNames });
  return withMarkup(report, args.content);
}

function withMarkup(done: Done<WriteDetails>, content: string): Done<WriteDetails> {
  const text = describeCallMarkup("content", content);
  if (text === undefined) return done;
  return { ...done, notes: [...(done.notes ?? []), { code: "other", text, audience: "model" }] };
}

function land(of: {
  place: Place;
  context: ToolContext;
  fresh: Buffer;
  expected: FileVersion | "absent" | "any";
  breakHardLinks?: boolean;
}) {
  return replaceFile({
    root: of.context.root,
    place: of.place,
    pieces: [of.fresh],
    expected: of.expected,
    breakHardLinks: of.breakHardLinks ?? false,
    signal: of.context.signal,
  });
}

/** Why the file that stands there must not be overwritten by this call, if there is a reason. */
function guardOverwrite(of: {
  args: z.output<typeof input>;
  place: Place;
  context: ToolContext;
  standing: Standing;
}): Refusal | undefined {
  const { args, place, context, standing } = of;
  const generated =
    standing.bytes && guardGenerated(context.root, place, standing.bytes.subarray(0, SAMPLE_BYTES));
  if (generated !== undefined) return generated;
  if (args.overwrite === true || context.options.overwriteUnread) return undefined;
  return guardUnread(context, place, standing.bytes);
}

function reportCreated(place: Place, fresh: Buffer): Done<WriteDetails> {
  const lines = countLinesOf(fresh);
  return {
    content: `created ${keepOnOneLine(place.shown)}: ${count(lines, "line")}, ${count(fresh.length, "byte")}`,
    details: {
      path: place.shown,
      created: true,
      changed: true,
      bytes: { after: fresh.length },
      lines: { after: lines },
    },
    sights: [{ file: place.real, ranges: [seeWhole(fresh)], replace: true }],
    changed: [place.shown],
  };
}

function reportUnchanged(place: Place, fresh: Buffer): Done<WriteDetails> {
  const lines = countLinesOf(fresh);
  return {
    content: `unchanged ${keepOnOneLine(place.shown)}: it already holds these ${count(lines, "line")}, ${count(fresh.length, "byte")}`,
    details: {
      path: place.shown,
      created: false,
      changed: false,
      bytes: { before: fresh.length, after: fresh.length },
      lines: { before: lines, after: lines },
    },
    sights: [{ file: place.real, ranges: [seeWhole(fresh)], replace: true }],
  };
}

async function reportOverwritten(of: {
  place: Place;
  fresh: Buffer;
  standing: Standing;
  otherNames: number;
}): Promise<Done<WriteDetails>> {
  const { place, fresh, standing } = of;
  const after = countLinesOf(fresh);
  const before = standing.bytes && countLinesOf(standing.bytes);
  const sizes =
    before === undefined
      ? `${standing.size} bytes → ${count(after, "line")}`
      : `${before} → ${count(after, "line")}`;
  const form = standing.bytes && (await describeForm(standing.bytes, fresh));
  return {
    content: `overwrote ${keepOnOneLine(place.shown)}: ${sizes}${form ? ` (${form})` : ""}`,
    details: {
      path: place.shown,
      created: false,
      changed: true,
      bytes: { before: standing.size, after: fresh.length },
      lines: { ...(before !== undefined && { before }), after },
    },
    notes: notesOf(of.otherNames),
    sights: [{ file: place.real, ranges: [seeWhole(fresh)], replace: true }],
    changed: [place.shown],
  };
}

function notesOf(otherNames: number): Note[] {
  if (otherNames === 0) return [];
  const text = `this file had ${count(otherNames, "other name")} (hard links): only this name was replaced, the others keep the old text`;
  return [{ code: "hard-links", text, audience: "model" }];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
