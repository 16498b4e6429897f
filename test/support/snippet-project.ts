/**
 * Owns a project in which the programs of a page are compiled and run as a newcomer would: the package and what it may
 * be used with in `node_modules`, strict TypeScript. Leaves what the programs must print to the tests.
 * Rule: what is run is what stands in the page.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repository = join(import.meta.dirname, "..", "..");

export interface SnippetProject {
  readonly folder: string;
  /** Runs the program of this name to its end. */
  run(name: string, env?: NodeJS.ProcessEnv): Promise<{ status: unknown; out: string; error: string }>;
  remove(): void;
}

/** The fenced blocks of one language of a page. */
export function readBlocks(page: string, language: string): string[] {
  const text = readFileSync(join(repository, page), "utf8");
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...text.matchAll(fence)].map((match) => match[1] ?? "");
}

/** Compiles programs, each under its name. Throws what the compiler says of them. */
export function openSnippetProject(programs: Readonly<Record<string, string>>): SnippetProject {
  const folder = mkdtempSync(join(tmpdir(), "haft-snippets-"));
  installPackages(folder);
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}\n');
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, `${name}.ts`), text);
  const compilerOptions = {
    ...{ target: "es2023", module: "nodenext", strict: true, exactOptionalPropertyTypes: true },
    ...{ noUncheckedIndexedAccess: true, skipLibCheck: true, types: ["node"] },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
  const built = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  if (built.stdout !== "") throw new Error(built.stdout);
  return {
    folder,
    run: (name, env = {}) => runToEnd(join(folder, `${name}.js`), { folder, env }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** As `npm install` would leave them, by links. */
function installPackages(folder: string): void {
  const installed = join(repository, "node_modules");
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(installed).filter((name) => !name.startsWith(".")))
    symlinkSync(join(installed, name), join(folder, "node_modules", name));
  symlinkSync(repository, join(folder, "node_modules", "haft"));
}

async function runToEnd(program: string, { folder, env }: { folder: string; env: NodeJS.ProcessEnv }) {
  const child = spawn(process.execPath, [program], { cwd: folder, env: { ...process.env, ...env } });
  let [out, error] = ["", ""];
  child.stdout.on("data", (piece) => {
    out += piece;
  });
  child.stderr.on("data", (piece) => {
    error += piece;
  });
  child.stdin.end();
  const status = await new Promise((resolve) => child.on("close", resolve));
  // Node 20 to 24 announce experimental parts of their own; the programs have nothing to say.
  return { status, out, error: error.replace(/^.*ExperimentalWarning.*\n.*\n/gm, "") };
}
