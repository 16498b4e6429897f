/**
 * Owns what `haft init` would write: a project's configuration, and the entry of a client for the server.
 * Leaves asking and showing to the command. Rule: what stands in a file stays; a file that is no plain JSON, or lies
 * behind a link, is left to the person. The attack: a repository whose `.mcp.json` is a link into the person's home.
 */
import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { PROJECT_FILE } from "./places.ts";

export const CLIENTS = ["claude", "cursor", "vscode"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** Where a client keeps a project's servers, and under which key. */
const PLACES: Readonly<Record<ClientName, { readonly file: string; readonly key: string }>> = {
  claude: { file: ".mcp.json", key: "mcpServers" },
  cursor: { file: ".cursor/mcp.json", key: "mcpServers" },
  vscode: { file: ".vscode/mcp.json", key: "servers" },
};

export interface PlannedFile {
  readonly path: string;
  /** Relative to the root. */
  readonly shown: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** A file that is left alone, with what its owner can do by hand. */
export interface LeftFile {
  readonly shown: string;
  readonly why: string;
  readonly entry: string;
}

export interface Plan {
  readonly files: readonly PlannedFile[];
  readonly left: readonly LeftFile[];
}

export interface PlanOptions {
  readonly root: string;
  readonly clients: readonly ClientName[];
  /** The program's own file, as it runs now. */
  readonly program: string;
}

export function planInit({ root, clients, program }: PlanOptions): Plan {
  const real = realpathSync(root);
  const wanted = [
    {
      file: PROJECT_FILE,
      change: (before: object) => (Object.keys(before).length > 0 ? before : PROJECT_START),
    },
    ...clients.map((client) => {
      const { file, key } = PLACES[client];
      return { file, change: (before: object) => addEntry(before, key, makeEntry(real, program)) };
    }),
  ];
  const plans = wanted.map(({ file, change }) => planFile(real, file, change));
  return {
    files: plans.filter((plan): plan is PlannedFile => "after" in plan && plan.after !== plan.before),
    left: plans.filter((plan): plan is LeftFile => "why" in plan),
  };
}

/** Clients whose files or folders are in the root already; the first of the list where there are none. */
export function findClients(root: string): readonly ClientName[] {
  const found = CLIENTS.filter((client) => {
    const [first = ""] = PLACES[client].file.split("/");
    return lstatSync(join(root, first), { throwIfNoEntry: false }) !== undefined;
  });
  return found.length > 0 ? found : CLIENTS.slice(0, 1);
}

/** Where most keep their secrets. What says which there are, as `.env.example`, is for everybody. */
const SECRETS = [
  ".env",
  ".env.local",
  ".env.*.local",
  ".env.production",
  ".env.development",
  ".env.staging",
  ".env.test",
];

/** What a project begins with: the secrets that most have stay where they are. */
const PROJECT_START = {
  $schema: "./node_modules/haft/docs/haft.config.schema.json",
  rules: { deny: SECRETS.map((name) => `reads(**/${name})`) },
};

/** A project that has haft among its packages shares the entry; another program is named by its path. */
function makeEntry(root: string, program: string): Readonly<Record<string, unknown>> {
  const isOwn = realpathSync(program).startsWith(join(root, "node_modules") + sep);
  if (isOwn) return { command: "npx", args: ["haft", "mcp"] };
  return { command: process.execPath, args: [realpathSync(program), "mcp", "--root", root] };
}

/** What is called haft there already stays, with its flags and its environment: they may narrow what agents may do. */
function addEntry(before: object, key: string, entry: object): object {
  const servers = (before as Readonly<Record<string, unknown>>)[key];
  if (servers !== undefined && (typeof servers !== "object" || servers === null || Array.isArray(servers)))
    throw new Error(`its ${key} is no object`);
  if (servers !== undefined && Object.hasOwn(servers, "haft")) return before;
  return { ...before, [key]: { ...servers, haft: entry } };
}

function planFile(root: string, file: string, change: (before: object) => object): PlannedFile | LeftFile {
  const path = join(root, file);
  const entry = () => JSON.stringify(change({}), null, 2);
  try {
    checkPlace(root, path);
    const before = readIfThere(path);
    const value: unknown = before === undefined || before.trim() === "" ? {} : JSON.parse(before);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new Error("it is not a JSON object");
    const changed = change(value);
    // What changes nothing keeps its spelling.
    const isSame = before !== undefined && JSON.stringify(changed) === JSON.stringify(value);
    const after = isSame ? before : `${JSON.stringify(changed, null, findIndent(before))}\n`;
    return { path, shown: relative(root, path), before, after };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { shown: relative(root, path), why, entry: entry() };
  }
}

/** That of the file's first line that has one. */
function findIndent(before: string | undefined): string {
  return /^([ \t]+)\S/m.exec(before ?? "")?.[1] ?? "  ";
}

function readIfThere(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(path, "utf8");
}

function checkPlace(root: string, path: string): void {
  const folder = dirname(path);
  const holds = lstatSync(folder, { throwIfNoEntry: false });
  if (folder !== root && holds !== undefined && !holds.isDirectory())
    throw new Error(`${relative(root, folder)} is a link or no directory`);
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry !== undefined && !entry.isFile()) throw new Error("it is a link or no regular file");
}

/** Writes what was planned, and nothing over what has changed since. */
export function writePlanned(root: string, { path, shown, before, after }: PlannedFile): void {
  const real = realpathSync(root);
  checkPlace(real, path);
  if (readIfThere(path) !== before) throw new Error(`${shown} has changed meanwhile; look again`);
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.haft-init.tmp`;
  try {
    writeFileSync(temporary, after, { flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
