/**
 * Owns `glob`: which paths match a pattern.
 * Leaves what a pattern means to text/glob-pattern.ts, walking and ignore rules to root/walk.ts.
 * Rule: a path that is named outright is never hidden, and what the walk left out is told where it may be missed.
 */
import { z } from "zod";
import type { Place } from "../../contract/access.ts";
import type { ToolContext } from "../../contract/context.ts";
import type { Done, ToolResult } from "../../contract/output.ts";
import { isRefusal, refuse } from "../../contract/refusal.ts";
import { NO_ACCESS, type Tool } from "../../contract/tool.ts";
import { inspectSearched } from "../../root/inspect-searched.ts";
import { pump } from "../../root/search-pump.ts";
import { showEntryPath } from "../../root/show-path.ts";
import { refuseMissing } from "../../root/suggest.ts";
import { walkTree } from "../../root/walk.ts";
import { startCounts, type WalkCounts } from "../../root/walk-counts.ts";
import { compileGlob, steerGlob } from "../../text/glob-pattern.ts";
import { keepOnOneLine } from "../../text/one-line.ts";
import {
  clipMiddle,
  countOf,
  describeCut,
  describeLeftOut,
  fitPage,
  nameSome,
} from "../../text/search-summary.ts";
import { findBase, type GlobBase } from "./base.ts";
import { suggestNext } from "./suggest-next.ts";

const input = z.object({
  pattern: z
    .string()
    .min(1)
    .describe("For example `**/*.ts`, `src/{a,b}/*.json`; with a final `/` it finds directories."),
  path: z.string().optional().describe("Directory that the pattern is relative to. Default: the root."),
});

export interface GlobDetails {
  readonly pattern: string;
  /** The directory that was walked. */
  readonly path: string;
  /** The paths shown, sorted by bytes, relative to the root; directories end in `/`. */
  readonly paths: readonly string[];
  /** All that match, shown or not. */
  readonly total: number;
  readonly ignored: number;
  readonly withheld: number;
  /** Folders that were left out of the walk. */
  readonly notWalked: readonly string[];
}

export const globTool: Tool<"glob", typeof input, GlobDetails> = {
  name: "glob",
  annotations: {
    title: "Find files by name",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  alwaysLoaded: true,
  input,
  describe: ({ limits }) =>
    `Finds files whose path matches a glob, sorted by name. \`*\` and \`?\` stay within a name, \`**\` crosses folders; {a,b}, [a-z], ?(a|b), *(…), +(…) and @(…) work; dotfiles match; a final / finds directories. Ignored files, .git, node_modules and target are left out unless the pattern or path names them. At most ${limits.globMax} paths.`,
  access: ({ path }) => ({
    ...NO_ACCESS,
    paths: [{ argument: "path", path: path ?? ".", effect: "reads", link: "follow", mustExist: true }],
  }),
  run: runGlob,
};

async function runGlob(args: z.output<typeof input>, context: ToolContext): Promise<ToolResult<GlobDetails>> {
  const asked = context.place("path");
  const state = await inspectSearched(context.root, asked);
  if (isRefusal(state)) return state;
  if (state.kind === "missing") return refuseMissing(context.root, asked);
  // The place was resolved to what a link leads to; a link there now is news.
  if (state.kind === "link") return refuse("path-changed", { path: asked.shown });
  if (state.kind !== "directory")
    return refuse("path-not-directory", { path: asked.shown, ancestor: asked.shown });
  const base = await findBase(context.root, { place: asked, pattern: args.pattern });
  if (isRefusal(base)) return base;
  const glob = compileGlob(base.pattern);
  if (isRefusal(glob)) return glob;
  const counts = startCounts();
  const paths: string[] = [];
  /** One more than is shown, as the walk tells them. */
  const walked: string[] = [];
  let total = 0;
  const steering = steerGlob(glob);
  const work = walkTree(
    {
      root: context.root,
      place: base.place,
      withholds: context.ports.withholds,
      steering: {
        ...steering,
        takes: (at, { name, kind }) =>
          kind === "directory" ? steering.takesFolder(at, name) : steering.takesFile(at, name),
      },
    },
    counts,
  );
  await pump(work, {
    signal: context.signal,
    take: ({ path, kind, notWalked }) => {
      if (notWalked === true) return;
      total++;
      if (walked.length <= context.limits.globMax) walked.push(path);
      if (paths.length >= context.limits.globMax) return;
      paths.push(showEntryPath(base.place, path) + (kind === "directory" ? "/" : ""));
    },
  });
  return render({ args, context, asked, base, paths, walked, total, counts });
}

function render(at: {
  args: z.output<typeof input>;
  context: ToolContext;
  asked: Place;
  base: GlobBase;
  paths: readonly string[];
  walked: readonly string[];
  total: number;
  counts: WalkCounts;
}): Done<GlobDetails> {
  const { args, context, asked, base, total, counts } = at;
  const { place } = base;
  const notWalked = counts.notWalked.map((path) => `${showEntryPath(place, path)}/`);
  const page = fitPage({
    lines: at.paths,
    resultMax: context.limits.resultMax,
    renderHead: (kept) => {
      const next =
        kept < total
          ? suggestNext({ context, base, last: at.walked[kept - 1], next: at.walked[kept] })
          : undefined;
      return renderHead({ args, asked, place, total, counts, notWalked, kept, next });
    },
  });
  return {
    content: page.content,
    details: {
      pattern: args.pattern,
      path: place.shown,
      paths: at.paths.slice(0, page.kept),
      total,
      ignored: counts.ignored,
      withheld: [...counts.withheld.values()].reduce((sum, count) => sum + count, 0),
      notWalked,
    },
  };
}

function renderHead(at: {
  args: z.output<typeof input>;
  asked: Place;
  place: Place;
  total: number;
  counts: WalkCounts;
  notWalked: readonly string[];
  kept: number;
  next: string | undefined;
}): string {
  const { args, asked, place, total, counts, notWalked, kept, next } = at;
  const where = asked.shown === "." ? "" : ` in ${clipMiddle(keepOnOneLine(asked.shown))}`;
  const found = total === 0 ? "no path matches" : countOf(total, "path matches", "paths match");
  const head = [`${found} ${clipMiddle(JSON.stringify(args.pattern))}${where}`];
  if (kept < total) head.push(describeCut(kept, { next, narrow: "narrow the pattern" }));
  head.push(...describeLeftOut(counts, (path) => showEntryPath(place, path)));
  if (total <= SMALL && notWalked.length > 0) {
    head.push(`not walked: ${nameSome(notWalked.map((path) => clipMiddle(path)))}`);
  }
  if (total === 0 && /(^|[^?*+@!\\])\(/.test(args.pattern)) {
    head.push("a parenthesis without ?, *, + or @ before it is a plain character");
  }
  return head.join("; ");
}

/** Up to this many paths, what was left out may well be what was looked for. */
const SMALL = 20;
