/**
 * Owns what a glob means: which paths it matches, into which folders it can lead, and which it names outright.
 * Leaves walking to root/walk.ts and segments to glob-syntax.ts.
 * Rule: linear time for every pattern (micromatch/picomatch and minimatch take exponential time on some),
 * and a name that holds pattern characters is found by its own spelling too.
 */
import { type RefusalOf, refuse } from "../contract/refusal.ts";
import { ANY_NAME_PART, findClose, NOT_SLASH, readSegment, splitTop } from "./glob-syntax.ts";
import type { State } from "./lazy-dfa.ts";
import { binaryOfText, matchableText } from "./path-text.ts";
import { choiceOf, literalOf, type PatternNode, repeatOf, sequenceOf } from "./pattern-node.ts";
import { ProgramTooLarge } from "./pattern-program.ts";
import { makeStepper, type TextStepper } from "./text-stepper.ts";

export interface GlobPattern {
  readonly stepper: TextStepper;
  /** Folders and files that the pattern names outright, as binary strings: `node_modules/e` of `node_modules/e/*.json`. */
  readonly named: ReadonlySet<string>;
  /** True where the pattern has no `/` inside: as a filter it then speaks of the last name alone. */
  readonly bare: boolean;
  /** Levels that it can reach below its folder. */
  readonly depth: number;
}

/** What a pattern may branch into. Above it, the pattern is refused rather than cut. */
const MAX_BRANCHES = 1000;

const ALL = Number.POSITIVE_INFINITY;
const FOLDER = sequenceOf([repeatOf(NOT_SLASH, 1, ALL), literalOf("/")]);
const FOLDERS = repeatOf(FOLDER, 0, ALL);
const NAME = repeatOf(NOT_SLASH, 1, ALL);
const META = /[*?[\]{}\\!+@()]/;

/**
 * Reads a glob relative to a folder. A file is matched by its path, a directory by its path and a final `/`,
 * so only a pattern that ends in `/` finds directories.
 */
export function compileGlob(pattern: string): GlobPattern | RefusalOf<"pattern-unsupported"> {
  const negation = findNegation(pattern);
  if (negation !== undefined) {
    const rewrite = pattern.replace(negation, "*");
    const more = findNegation(rewrite) !== undefined;
    return refuse("pattern-unsupported", { pattern, construct: negation, ...(more ? {} : { rewrite }) });
  }
  const branches = expandBranches(trimPattern(pattern), isAboutPaths);
  if (branches === undefined) {
    return refuse("pattern-unsupported", {
      pattern,
      construct: `braces with more than ${MAX_BRANCHES} alternatives`,
    });
  }
  try {
    const named = new Set<string>();
    for (const branch of branches) collectNamed(branch, named);
    const stepper = makeStepper(choiceOf(branches.map(readPath)));
    const bare = branches.every((branch) => !branch.replace(/\/+$/, "").includes("/") && branch !== "**");
    return { stepper, named, bare, depth: Math.max(...branches.map(measureDepth)) };
  } catch (error) {
    if (!(error instanceof ProgramTooLarge)) throw error;
    return refuse("pattern-unsupported", { pattern, construct: "a pattern of this size" });
  }
}

function measureDepth(branch: string): number {
  return branch.split("/").some((segment) => segment.includes("**")) ? ALL : branch.split("/").length;
}

/** `./a//b/./c` is `a/b/c`. */
function trimPattern(pattern: string): string {
  const text = pattern.replace(/\/{2,}/g, "/");
  return text
    .split("/")
    .filter((segment, index, all) => segment !== "." || index === all.length - 1)
    .join("/");
}

/** `!(…)` needs the complement of a language inside a larger one: no linear matcher of ours has it. */
function findNegation(pattern: string): string | undefined {
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] === "\\") i++;
    else if (pattern[i] === "!" && pattern[i + 1] === "(") {
      const close = findClose(pattern, i + 1);
      if (close !== undefined) return pattern.slice(i, close + 1);
    }
  }
  return undefined;
}

/** Branches apart at braces of which `apart` says so; undefined where there are too many branches. */
function expandBranches(pattern: string, apart: (inner: string) => boolean): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const brace = findBrace(text, apart);
    if (brace === undefined) done.push(text);
    else for (const part of brace.parts.toReversed()) open.push(brace.before + part + brace.after);
    if (done.length + open.length > MAX_BRANCHES) return undefined;
  }
  return done;
}

/** Braces that hold a `/` or `**` are about paths; the others are choices within a name, and need no branching. */
function isAboutPaths(inner: string): boolean {
  return inner.includes("/") || inner.includes("**");
}

function findBrace(
  text: string,
  apart: (inner: string) => boolean,
): { before: string; parts: string[]; after: string } | undefined {
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\") i++;
    if (text[i] !== "{") continue;
    const close = findClose(text, i);
    if (close === undefined) continue;
    const inner = text.slice(i + 1, close);
    const parts = splitTop(inner, ",");
    if (parts.length > 1 && apart(inner))
      return { before: text.slice(0, i), parts, after: text.slice(close + 1) };
  }
  return undefined;
}

function readPath(pattern: string): PatternNode {
  const segments = splitTop(pattern, "/");
  const last = segments.length - 1;
  const items: PatternNode[] = [];
  segments.forEach((segment, index) => {
    if (segment === "**") {
      items.push(FOLDERS);
      if (index === last) items.push(NAME);
      return;
    }
    items.push(readName(segment));
    if (index < last) items.push(literalOf("/"));
  });
  return sequenceOf(items);
}

function readName(segment: string): PatternNode {
  if (segment === "*") return NAME;
  if (/^\*{2,}$/.test(segment)) return ANY_NAME_PART;
  const read = readSegment(segment);
  // `[id]` is a class of two letters, and the name of every second folder in some frameworks.
  return META.test(segment) ? choiceOf([read, literalOf(segment)]) : read;
}

/** Adds each leading folder that the pattern spells out, and the whole path where nothing in it is a pattern. */
function collectNamed(pattern: string, named: Set<string>): void {
  let bases = [""];
  for (const segment of splitTop(pattern, "/")) {
    const names = spellNames(segment);
    if (names.length === 0 || segment === "" || bases.length * names.length > MAX_BRANCHES) return;
    bases = bases.flatMap((base) => names.map((name) => (base === "" ? name : `${base}/${name}`)));
    for (const base of bases) named.add(binaryOfText(base));
  }
}

/** The names that a segment spells out: itself, and the alternatives of its braces that are no patterns. */
function spellNames(segment: string): string[] {
  if (!META.test(segment)) return [segment];
  if (/^[*?]+$/.test(segment)) return [];
  const spelled = (expandBranches(segment, () => true) ?? []).filter((name) => !/[*?[\]()]/.test(name));
  return [...new Set([segment, ...spelled.map((name) => name.replace(/\\(.)/g, "$1"))])];
}

/** A glob on its way down a tree. Names are binary strings. */
export interface GlobSteering {
  readonly start: State;
  /** The state inside a folder, or undefined where nothing below can match. */
  enter(state: State, name: string): State | undefined;
  takesFile(state: State, name: string): boolean;
  takesFolder(state: State, name: string): boolean;
  readonly named: ReadonlySet<string>;
}

/** A glob that finds: only folders that it can lead into are entered. */
export function steerGlob(glob: GlobPattern): GlobSteering {
  const { stepper, named } = glob;
  return {
    start: stepper.start,
    enter: (state, name) => stepper.step(state, `${matchableText(name)}/`),
    takesFile: (state, name) => takes(glob, state, matchableText(name)),
    takesFolder: (state, name) => takes(glob, state, `${matchableText(name)}/`),
    named,
  };
}

/** A glob that filters: one without `/` speaks of names in every folder. */
export function steerFilter(glob: GlobPattern): GlobSteering {
  if (!glob.bare) return { ...steerGlob(glob), named: new Set() };
  const { start } = glob.stepper;
  return { ...steerGlob(glob), enter: () => start, named: new Set() };
}

function takes(glob: GlobPattern, state: State, text: string): boolean {
  const { stepper } = glob;
  if (state === stepper.start) return stepper.matches(text);
  const after = stepper.step(state, text);
  return after !== undefined && stepper.accepts(after);
}
