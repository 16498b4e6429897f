/**
 * Owns `list`: what is in a directory, and to which depth below it.
 * Leaves walking to root/walk.ts and finding by pattern alone to `glob`.
 * Rule: whatever is not shown is counted, so that an entry is never taken for absent.
 */
import { z } from "zod";
import type { Place } from "../../contract/access.ts";
import type { ToolContext } from "../../contract/context.ts";
import type { ToolResult } from "../../contract/output.ts";
import { isRefusal, refuse } from "../../contract/refusal.ts";
import { NO_ACCESS, type Tool } from "../../contract/tool.ts";
import type { EntryKind } from "../../root/entry-kind.ts";
import { inspect } from "../../root/inspect.ts";
import { pump } from "../../root/search-pump.ts";
import { refuseMissing } from "../../root/suggest.ts";
import { tellsExchange } from "../../root/system-error.ts";
import { walkTree } from "../../root/walk.ts";
import { EVERYTHING, type Steering, startCounts, type WalkEntry } from "../../root/walk-counts.ts";
import { compileGlob, type GlobPattern, steerFilter } from "../../text/glob-pattern.ts";
import { renderEntries, renderSingle } from "./render.ts";

const input = z.object({
  path: z.string().optional().describe("Directory to list, relative to the root. Default: the root."),
  depth: z.int().min(1).optional().describe("How many levels to list. Default 1."),
  glob: z
    .string()
    .optional()
    .describe("Only entries whose name (or path, where the glob has a `/`) matches."),
});

export interface ListDetails {
  readonly path: string;
  /** The entries shown, in the order of `content`; paths relative to the listed directory. */
  readonly entries: readonly ListedEntry[];
  /** All entries that there are, shown or not. */
  readonly total: number;
  readonly ignored: number;
  readonly withheld: number;
}

export interface ListedEntry {
  readonly path: string;
  readonly kind: EntryKind;
  readonly bytes?: number;
  readonly target?: string;
  readonly notWalked?: true;
}

export const listTool: Tool<"list", typeof input, ListDetails> = {
  name: "list",
  annotations: {
    title: "List a directory",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  alwaysLoaded: false,
  input,
  describe: ({ limits }) =>
    `Lists a directory: directories first (ending in /), then files with their size in bytes, links with their target. \`depth\` lists levels below it, \`glob\` filters. Entries hidden by .gitignore are counted, not shown; .git, node_modules and target are shown but not walked unless named. At most ${limits.listMax} entries.`,
  access: ({ path }) => ({
    ...NO_ACCESS,
    paths: [{ argument: "path", path: path ?? ".", effect: "reads", link: "follow", mustExist: true }],
  }),
  run: runList,
};

async function runList(args: z.output<typeof input>, context: ToolContext): Promise<ToolResult<ListDetails>> {
  const place = context.place("path");
  const state = await inspect(context.root, place);
  if (isRefusal(state)) return state;
  if (state.kind === "missing") return refuseMissing(context.root, place);
  // The place was resolved to what a link leads to; a link there now is news.
  if (state.kind === "link" && place.link === "follow") return refuse("path-changed", { path: place.shown });
  if (state.kind !== "directory") return renderSingle(place, state);
  const glob = args.glob === undefined ? undefined : compileGlob(args.glob);
  if (isRefusal(glob)) return glob;
  const counts = startCounts();
  const found: WalkEntry[] = [];
  const maxDepth = args.depth ?? (glob === undefined ? 1 : glob.depth);
  await pump(startWalk(context, { place, glob, maxDepth, counts }), {
    signal: context.signal,
    take: (entry) => found.push(entry),
  });
  // The named directory itself: what cannot be read is not known to be empty.
  const denied = counts.unreadable.find(({ path }) => path === "");
  if (denied !== undefined) {
    if (tellsExchange(denied.error)) return refuse("path-changed", { path: place.shown });
    return refuse("path-denied", { path: place.shown, operation: "list", error: denied.error });
  }
  return renderEntries({ context, place, found, counts, args });
}

function startWalk(
  { root, ports }: ToolContext,
  at: {
    place: Place;
    glob: GlobPattern | undefined;
    maxDepth: number;
    counts: ReturnType<typeof startCounts>;
  },
): Generator<WalkEntry | undefined, void> {
  const { place, glob, maxDepth, counts } = at;
  const base = { root, place, withholds: ports.withholds, maxDepth };
  if (glob === undefined) return walkTree({ ...base, steering: EVERYTHING }, counts);
  const filter = steerFilter(glob);
  const steering: Steering<typeof filter.start> = {
    ...filter,
    takes: (state, { name, kind }) =>
      filter.takesFile(state, name) || (kind === "directory" && filter.takesFolder(state, name)),
  };
  return walkTree({ ...base, steering }, counts);
}
