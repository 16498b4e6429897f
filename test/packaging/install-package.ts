/**
 * Owns packing haft as it would be published and installing it into an empty project, once for all tests of a file.
 * Leaves what is run there to the tests. Rule: no script of any package runs, as careful people install; what a test
 * sees is what `npm pack` took from the build.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repository = join(import.meta.dirname, "..", "..");
const NPM = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];

export interface Project {
  readonly folder: string;
  /** What the package has in it, as paths below it. */
  readonly files: readonly string[];
  /** The program as npm links it. */
  readonly haft: string;
  remove(): void;
}

export function installPackage(): Project {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-packed-")));
  const folder = join(base, "project");
  const packed = execFileSync("npm", ["pack", "--json", ...NPM, "--pack-destination", base], {
    cwd: repository,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename, files }] = JSON.parse(packed) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ];
  cpSync(join(import.meta.dirname, "programs"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  execFileSync("npm", ["install", ...NPM, join(base, filename)], { cwd: folder, stdio: "ignore" });
  const bin = join(folder, "node_modules", "haft");
  const manifest = JSON.parse(readFileSync(join(bin, "package.json"), "utf8")) as {
    readonly bin: { readonly haft: string };
  };
  return {
    folder,
    files: files.map(({ path }) => path),
    haft: join(bin, manifest.bin.haft),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
