/**
 * Owns the gate: arguments read, normalised, checked and resolved, once, before anything looks at them.
 * Leaves each step to its own file, deciding to permission, running to run.ts.
 * Rule: everything behind the gate reads its result. A wrapper that passes on a call of its own making sends it
 * through the gate again, so that nothing unchecked is ever run.
 */
import type { Access, Place } from "../contract/access.ts";
import type { Call } from "../contract/call.ts";
import type { Note } from "../contract/output.ts";
import { type InputProblem, isRefusal, type Refusal, refuse } from "../contract/refusal.ts";
import type { AnyTool } from "../contract/tool.ts";
import { guardPlace } from "../root/protect.ts";
import { locate } from "../root/resolve.ts";
import { nearestName } from "../text/edit-distance.ts";
import { checkInput } from "./check-input.ts";
import { collectFindings, type Findings } from "./findings.ts";
import { getInputSchema, listArguments, type ObjectSchema } from "./input-schema.ts";
import type { Mounted, PreparedCall } from "./mounted.ts";
import { normaliseArguments } from "./normalise.ts";
import { readArguments, refuseTruncated } from "./read-arguments.ts";
import { clipText } from "./show-value.ts";

/** Names of unknown arguments and the like are a host's or a model's; a note stays one line of a sensible length. */
const LONGEST_NOTE = 300;
const MOST_NOTES = 8;

/** Reads, checks and resolves one call. */
export async function prepareCall(mounted: Mounted, call: Call): Promise<PreparedCall | Refusal> {
  const name = typeof call.name === "string" ? call.name : String(call.name ?? "");
  const bare = mounted.names.bare(name);
  const tool = bare === undefined ? undefined : mounted.tools.get(bare);
  if (tool === undefined) return refuseUnknown(mounted, name);
  const findings = collectFindings();
  const input = readInput({ tool, name, args: call.args, findings });
  if (isRefusal(input)) return input;
  const access = (tool.access as (input: unknown) => Access)(input);
  const places = await locatePlaces(mounted, access);
  if (isRefusal(places)) return places;
  return { tool, name, input, access, places, notes: makeNotes(findings) };
}

interface InputQuestion {
  readonly tool: AnyTool;
  readonly name: string;
  readonly args: unknown;
  readonly findings: Findings;
}

/** The input that the tool's schema describes, or everything that is wrong with the arguments at once. */
function readInput({ tool, name, args, findings }: InputQuestion): Record<string, unknown> | Refusal {
  const schema = getInputSchema(tool);
  const changes = !tool.annotations.readOnlyHint;
  const record = readArguments({ name, bare: tool.name, args, changes, schema, findings });
  if (isRefusal(record)) return record;
  normaliseArguments({ tool: tool.name, changes, findings, schema, record, aliases: tool.aliases });
  if (findings.truncated) return refuseTruncated({ name, args });
  const checked = checkInput({ tool, schema, record, findings });
  if (checked !== undefined && findings.problems.length === 0) return checked.input;
  // A call that is refused anyway tells what it would only have ignored: `paths` explains why `path` is missing.
  const problems = [...findings.problems, ...findings.unknown];
  return refuse("input-invalid", { tool: name, problems, ...listTaken(schema, problems) });
}

/** What the call takes; where only entries of one list are wrong, what these take. */
function listTaken(schema: ObjectSchema, problems: readonly InputProblem[]) {
  const lists = new Set(problems.map(({ path }) => /^(\w+)\[\d+\]/.exec(path)?.[1]));
  const [entriesOf] = lists;
  const items = entriesOf === undefined || lists.size > 1 ? undefined : schema.properties[entriesOf]?.items;
  if (entriesOf === undefined || items?.properties === undefined) return { takes: listArguments(schema) };
  const { properties, required = [] } = items;
  return { takes: listArguments({ ...items, type: "object", properties, required }), entriesOf };
}

/** Each declared path, resolved once. Writes are guarded here, on the real path, whatever the spelling was. */
async function locatePlaces(mounted: Mounted, access: Access): Promise<ReadonlyMap<string, Place> | Refusal> {
  const places = new Map<string, Place>();
  for (const use of access.paths) {
    const place = await locate(mounted.root, use);
    if (isRefusal(place)) return place;
    const guarded = use.effect === "writes" ? guardPlace(mounted.root, place) : undefined;
    if (guarded !== undefined) return guarded;
    places.set(use.argument, place);
  }
  return places;
}

function refuseUnknown({ names }: Mounted, name: string): Refusal {
  const { mounted, prefix } = names;
  const shown = clipText(name.toWellFormed(), 100);
  const prefixed = names.name(name) ?? nearestName(shown, mounted) ?? nearestName(prefix + shown, mounted);
  return refuse("tool-unknown", {
    name: shown,
    ...(prefixed === undefined ? {} : { nearest: prefixed }),
    names: mounted,
  });
}

function makeNotes(findings: Findings): Note[] {
  const notes: Note[] = findings.notes.slice(0, MOST_NOTES).map(({ code, text }) => {
    return { code, text: clipText(text.toWellFormed(), LONGEST_NOTE), audience: "model" };
  });
  if (findings.repairs.length > 0)
    notes.push({
      code: "argument-repaired",
      text: `repaired in the arguments: ${[...new Set(findings.repairs)].join(", ")}`,
      audience: "host",
    });
  return notes;
}
