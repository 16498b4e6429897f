/**
 * Owns what a call does, as rules speak of it: one effect for each path, command and host that it declares.
 * Leaves declaring to the tools, places to the gate, deciding to judge.ts.
 * Rule: nothing that is declared is left out but the folder in which a command runs. A folder that goes as a whole
 * takes with it all that is below it.
 */
import type { Place } from "../contract/access.ts";
import { isRefusal } from "../contract/refusal.ts";
import type { Root } from "../contract/root.ts";
import { inspect } from "../root/inspect.ts";
import { keepOnOneLine } from "../text/one-line.ts";
import type { ParsedShell } from "../text/shell/parse-shell.ts";
import type { PreparedCall } from "../toolset/mounted.ts";
import { type Host, readHost, showHost } from "./host-pattern.ts";

export type EffectKind = Effect["kind"];

export type Effect = PathEffect | CommandEffect | HostEffect;

export interface PathEffect {
  readonly kind: "reads" | "writes";
  /** As the place shows it. */
  readonly path: string;
  /** Other names by which links lead there: what denies or asks speaks of those, too; what allows does not. */
  readonly names?: readonly string[];
  /** Where a call found it: what is there may have other names. Absent where no call named it. */
  readonly place?: Place;
  /** It was read by an earlier call, by these tools, whose result this call would show. */
  readonly recalls?: readonly string[];
  /** The folder whose entries are deleted with it, or come to lie below it. */
  readonly tree?: Place;
}

export interface CommandEffect {
  readonly kind: "runs";
  readonly command: string;
  readonly parsed: ParsedShell;
}

export interface HostEffect {
  readonly kind: "connects";
  /** As the call gave it. */
  readonly target: string;
  /** Undefined where it is no host. */
  readonly host: Host | undefined;
}

export async function listEffects({ access, places }: PreparedCall, root: Root): Promise<readonly Effect[]> {
  const folder = await findMovedFolder({ access, places }, root);
  const effects: Effect[] = [];
  for (const use of access.paths) {
    const place = places.get(use.argument);
    if (place === undefined || use.effect === "enters") continue;
    const takesTree = folder !== undefined && use.effect === "writes" && use.link === "itself";
    effects.push({ kind: use.effect, path: place.shown, place, ...(takesTree ? { tree: folder } : {}) });
  }
  if (access.runs.length > 0) {
    // The parser is large, and most calls run nothing.
    const { parseShell } = await import("../text/shell/parse-shell.ts");
    for (const command of access.runs) effects.push({ kind: "runs", command, parsed: parseShell(command) });
  }
  for (const target of access.connects) effects.push({ kind: "connects", target, host: readHost(target) });
  return effects;
}

/** The folder that a call deletes or moves; what lies below it lies below the destination afterwards. */
async function findMovedFolder(
  { access, places }: Pick<PreparedCall, "access" | "places">,
  root: Root,
): Promise<Place | undefined> {
  for (const use of access.paths) {
    const place = places.get(use.argument);
    if (place === undefined || use.effect !== "writes" || use.link !== "itself" || !use.mustExist) continue;
    const state = await inspect(root, place);
    if (!isRefusal(state) && state.kind === "directory") return place;
  }
  return undefined;
}

const LONGEST_COMMAND = 300;

/** As a rule would name it, on one line. */
export function showEffect(effect: Effect): string {
  if (effect.kind === "runs") return `runs(${clip(keepOnOneLine(effect.command))})`;
  if (effect.kind === "connects")
    return `connects(${effect.host === undefined ? clip(keepOnOneLine(effect.target)) : showHost(effect.host)})`;
  return `${effect.kind}(${clip(keepOnOneLine(effect.path))})`;
}

function clip(text: string): string {
  const characters = [...text.slice(0, 2 * LONGEST_COMMAND)];
  return characters.length > LONGEST_COMMAND ? `${characters.slice(0, LONGEST_COMMAND).join("")}…` : text;
}

export function isPathEffect(effect: Effect): effect is PathEffect {
  return effect.kind === "reads" || effect.kind === "writes";
}
