/**
 * Owns the source files that tasks are cut from: real ones, written by people, out of installed packages.
 * Leaves varying them to document.ts. Rule: sorted by path, so that the same packages give the same tasks.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";

export interface Source {
  readonly path: string;
  /** With the dot. */
  readonly extension: string;
  /** Without their endings. */
  readonly lines: readonly string[];
}

const EXTENSIONS = new Set(
  ".ts .mts .js .mjs .py .css .scss .md .json .go .rs .c .h .java .yml .yaml .sh".split(" "),
);
/** Minified, hidden, declared only, or inside of another package's own packages. */
const LEFT_OUT = /\.min\.|(^|\/)\.|\.d\.[mc]?ts$|\/node_modules\//;
/** Files of one extension in one package: a package of a thousand like files would drown the others. */
const PER_PACKAGE = 12;
const LONGEST_LINE = 240;

/** Reads what suits out of `node_modules` folders. */
export function loadCorpus(folders: readonly string[]): Source[] {
  const sources: Source[] = [];
  const taken = new Map<string, number>();
  for (const folder of folders) {
    for (const path of listFiles(folder)) {
      const extension = extname(path);
      const key = `${packageOf(path)}${extension}`;
      if ((taken.get(key) ?? 0) >= PER_PACKAGE) continue;
      const source = readSource(join(folder, path), path, extension);
      if (source === undefined) continue;
      taken.set(key, (taken.get(key) ?? 0) + 1);
      sources.push(source);
    }
  }
  return sources;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => EXTENSIONS.has(extname(path)) && !LEFT_OUT.test(path))
    .sort((a, b) => (a < b ? -1 : 1));
}

function packageOf(path: string): string {
  const parts = path.split("/");
  return path.startsWith("@") ? `${parts[0]}/${parts[1]}` : (parts[0] ?? "");
}

function readSource(file: string, path: string, extension: string): Source | undefined {
  const stats = statSync(file);
  if (!stats.isFile() || stats.size < 1_000 || stats.size > 60_000) return undefined;
  const bytes = readFileSync(file);
  const text = bytes.toString("utf8");
  // Generated files are guarded by some tools, for good reason, and no task.
  if (text.includes("\uFFFD") || text.includes("\0") || /generated/i.test(text.slice(0, 2_000)))
    return undefined;
  const lines = text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.length < 25 || lines.length > 1_500) return undefined;
  if (lines.some((line) => line.length > LONGEST_LINE || line.includes("\r"))) return undefined;
  return { path, extension, lines };
}
