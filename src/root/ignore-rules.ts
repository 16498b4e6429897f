/**
 * Owns which entries of a tree are ignored: every `.gitignore` from the repository's top down, `.git/info/exclude`,
 * and the host's `extraIgnore`. Leaves what a pattern means to text/ignore-pattern.ts.
 * Rule: as `git check-ignore --no-index` has it; never global excludes, `.ignore` or `.rgignore`.
 * Outside a repository the files from the root down count. Paths are absolute binary strings.
 */
import type { Root } from "../contract/root.ts";
import { compileIgnoreFile, type IgnoreRules, type JudgeName } from "../text/ignore-pattern.ts";
import { binaryOfText } from "../text/path-text.ts";
import type { FolderEntry } from "./read-entries.ts";
import type { WalkDisk } from "./walk-disk.ts";

interface Layer {
  /** The folder that the rules are relative to, with a final `/`. */
  readonly base: string;
  readonly rules: IgnoreRules;
}

/** The rules in force in one folder. Never changed: a folder below has its own. */
export interface IgnoreScope {
  /** The deepest first. */
  readonly layers: readonly Layer[];
  /** The host's own; nothing in a `.gitignore` brings back what they hide. */
  readonly extra: Layer | undefined;
}

/** The same as they judge what lies in that folder itself. */
export interface FolderRules {
  /** The deepest first. */
  readonly layers: readonly JudgeName[];
  readonly extra: JudgeName | undefined;
}

/** As git bounds it: above it a `.gitignore` is not read. */
const MAX_IGNORE_BYTES = 1_048_576;

const NONE: IgnoreScope = { layers: [], extra: undefined };

export function rulesIn({ layers, extra }: IgnoreScope, folder: string): FolderRules {
  return {
    layers: layers.flatMap((layer) => placeIn(layer, folder)),
    extra: extra && placeIn(extra, folder)[0],
  };
}

function placeIn({ base, rules }: Layer, folder: string): JudgeName[] {
  return folder.startsWith(base) ? [rules.within(folder.slice(base.length))] : [];
}

/** Whether an entry is ignored by the rules of its folder. */
export function isIgnored(
  { layers, extra }: FolderRules,
  { name, kind }: Pick<FolderEntry, "name" | "kind">,
): boolean {
  const directory = kind === "directory";
  if (extra !== undefined && extra(name, directory) === "ignored") return true;
  for (const judge of layers) {
    const verdict = judge(name, directory);
    if (verdict !== undefined) return verdict === "ignored";
  }
  return false;
}

/** The rules that hold inside a folder whose entries are known. `has` tells whether it has an entry of that name. */
export function enterScope(
  scope: IgnoreScope,
  at: { disk: WalkDisk; folder: string; has: (name: string) => boolean },
): IgnoreScope {
  const { disk, folder, has } = at;
  const repository = has(".git") ? findRepository(disk, folder) : undefined;
  // A repository inside another is a world of its own.
  const layers = repository === undefined ? [...scope.layers] : readExcludes(disk, { folder, repository });
  if (has(".gitignore"))
    layers.unshift(...readLayer(disk, { folder, file: `${folder}.gitignore`, followLink: false }));
  return layers.length === 0 && scope.extra === undefined ? NONE : { layers, extra: scope.extra };
}

/** Forgets the rules of files: what is named explicitly is searched whatever they say. The host's own stay. */
export function withoutFiles(scope: IgnoreScope): IgnoreScope {
  return { layers: [], extra: scope.extra };
}

/** The rules from above a folder (its own are added by `enterScope`), and whether they ignore it. */
export function openScope(
  root: Root,
  at: { disk: WalkDisk; folder: string },
): { scope: IgnoreScope; ignored: boolean } {
  const { disk, folder } = at;
  const rootFolder = withSlash(binaryOfText(root.path));
  const extraRules = compileIgnoreFile(root.extraIgnore.map(binaryOfText).join("\n"));
  const extra = extraRules === undefined ? undefined : { base: rootFolder, rules: extraRules };
  const above = listAbove(folder);
  const top =
    findTop(disk, above) ?? (folder.startsWith(rootFolder) ? above.indexOf(rootFolder) : above.length);
  let scope: IgnoreScope = { layers: [], extra };
  let ignored = false;
  const chain = top < 0 ? [] : above.slice(top);
  chain.forEach((parent, index) => {
    scope = enterScope(scope, { disk, folder: parent, has: (name) => disk.exists(parent + name) });
    const child = chain[index + 1] ?? folder;
    const name = child.slice(parent.length, -1);
    // Only files are asked: what the host hides stays hidden.
    const files = rulesIn({ layers: scope.layers, extra: undefined }, parent);
    ignored ||= isIgnored(files, { name, kind: "directory" });
  });
  return { scope, ignored };
}

/** The folders above one, from the top of the file system down, each with a final `/`. */
function listAbove(folder: string): string[] {
  const above: string[] = [];
  for (let at = folder.indexOf("/"); at >= 0 && at < folder.length - 1; at = folder.indexOf("/", at + 1)) {
    above.push(folder.slice(0, at + 1));
  }
  return above;
}

/** The index of the innermost repository around a folder. */
function findTop(disk: WalkDisk, above: readonly string[]): number | undefined {
  for (let i = above.length - 1; i >= 0; i--) {
    const folder = above[i] as string;
    if (disk.exists(`${folder}.git`) && findRepository(disk, folder) !== undefined) return i;
  }
  return undefined;
}

/** The git directory of a working tree, with a final `/`; undefined where `.git` is none. */
function findRepository(disk: WalkDisk, folder: string): string | undefined {
  const git = `${folder}.git`;
  if (disk.exists(`${git}/HEAD`)) return `${git}/`;
  const file = disk.findSmall(git, { maxBytes: 65_536, followLink: false });
  const named = file === undefined ? null : /^gitdir: *(.+?)[\r\n]*$/.exec(file);
  if (named === null) return undefined;
  const target = named[1] as string;
  return withSlash(target.startsWith("/") ? target : folder + target);
}

function readExcludes(disk: WalkDisk, at: { folder: string; repository: string }): Layer[] {
  const { folder, repository } = at;
  // A linked working tree keeps its excludes in the repository that it was made from.
  const common = disk
    .findSmall(`${repository}commondir`, { maxBytes: 65_536, followLink: true })
    ?.replace(/[\r\n]+$/, "");
  const from =
    common === undefined ? repository : withSlash(common.startsWith("/") ? common : repository + common);
  return readLayer(disk, { folder, file: `${from}info/exclude`, followLink: true });
}

function readLayer(disk: WalkDisk, at: { folder: string; file: string; followLink: boolean }): Layer[] {
  const text = disk.findSmall(at.file, { maxBytes: MAX_IGNORE_BYTES, followLink: at.followLink });
  const rules = text === undefined ? undefined : compileIgnoreFile(text);
  return rules === undefined ? [] : [{ base: at.folder, rules }];
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}
