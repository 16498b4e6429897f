/**
 * Owns the command line as a program of few files: as compiled `haft` loads hundreds, bundled a handful, and starts
 * several times faster. Leaves compiling to build-dist.mjs, which runs this as a program: esbuild is a package, and what
 * builds is loaded before there are any. The library stays as compiled. Run: node scripts/bundle-cli.mjs DIST
 *
 * Rule: a module in the bundle takes itself for its own compiled file. Its `import.meta.url` is that file's address, so
 * that what it finds beside itself (the worker's entry, the threads, package.json) is found by one expression from the
 * library and from the bundle, and is the same file. Packages that are optional stay outside: they may be missing.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { build } from "esbuild";

const repository = join(import.meta.dirname, "..");
const { optionalDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
const CLI = join("surfaces", "cli");

/** Puts the bundle in the place of the compiled command line below `dist`. */
async function bundleCli(dist) {
  const folder = join(dist, CLI);
  const { outputFiles, metafile } = await build({
    absWorkingDir: repository,
    entryPoints: [join(folder, "main.js")],
    outdir: folder,
    entryNames: "[name]",
    // All in one folder, so that the way from each to the compiled files is the same.
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // Names stay as they are: they stand in stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    external: Object.keys(optionalDependencies).flatMap((name) => [name, `${name}/*`]),
    // commander is CommonJS and asks for Node's own modules.
    banner: {
      js: 'import{createRequire as haftRequire}from"node:module";const require=haftRequire(import.meta.url);',
    },
    plugins: [keepAddresses(dist), leaveOutLocales, requireBuiltins, loadValidatorLate],
    logLevel: "silent",
  });
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  writeFileSync(join(folder, "THIRD-PARTY.txt"), writeNotices(Object.keys(metafile.inputs)));
}

function keepAddresses(dist) {
  return {
    name: "keep addresses",
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        if (!path.startsWith(dist + sep)) return undefined;
        const text = readFileSync(path, "utf8");
        if (!text.includes("import.meta.url")) return undefined;
        const from = relative(join(dist, CLI), path).split(sep).join("/");
        return { contents: text.replaceAll("import.meta.url", `new URL("${from}",import.meta.url).href`) };
      });
    },
  };
}

/** zod brings its messages in fifty languages, half of its code. haft writes its own, in English. */
const leaveOutLocales = {
  name: "leave out locales",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: "export {};" }));
  },
};

/**
 * Node's own modules by `require`: an `import` reads every export of a module, and some load further ones when they are
 * read (all of webcrypto, the standard streams). commander can start commands that are programs of their own: haft has
 * none, and what would start them is not loaded.
 */
const requireBuiltins = {
  name: "require builtins",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, importer, kind }) => {
      if (/[\\/]commander[\\/]/.test(importer) && path === "node:child_process")
        return { path: "nothing", namespace: "builtin" };
      return kind === "import-statement" ? { path, namespace: "builtin" } : { path, external: true };
    });
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: path === "nothing" ? "module.exports = {};" : `module.exports = require("${path}");`,
    }));
  },
};

/**
 * The SDK makes a validator of JSON Schema for each server and uses it for one thing, the answer to an elicitation.
 * It is loaded from the SDK's package when it is asked for.
 */
const loadValidatorLate = {
  name: "load the validator late",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: "shims",
      namespace: "haft",
    }));
    onLoad({ filter: /.*/, namespace: "haft" }, () => ({
      contents: `
        import { createRequire } from "node:module";
        import process from "node:process";
        let validator;
        export class DefaultJsonSchemaValidator {
          getValidator(schema) {
            const load = createRequire(import.meta.url);
            validator ??= new (load("@modelcontextprotocol/server/validators/ajv").AjvJsonSchemaValidator)();
            return validator.getValidator(schema);
          }
        }
        export { process };`,
    }));
  },
};

/** The licences of what is in the bundle, each with its package. */
function writeNotices(inputs) {
  const folders = new Set(inputs.map(packageOf).filter((folder) => folder !== undefined));
  const notices = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|notice|copying)(\.|-|$)/i.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), "utf8").trim());
    return [`${name} ${version} (${license})`, ...texts].join("\n\n");
  });
  const rule = `\n\n${"-".repeat(80)}\n\n`;
  return `The command line of haft has code of these packages in it.${rule}${notices.join(rule)}\n`;
}

/** The folder of the package that a file is in, of the innermost node_modules. */
function packageOf(input) {
  const parts = input.split("/");
  const at = parts.lastIndexOf("node_modules");
  if (at < 0) return undefined;
  const name = parts.slice(at + 1, at + (parts[at + 1]?.startsWith("@") ? 3 : 2));
  return join(repository, ...parts.slice(0, at + 1), ...name);
}

/**
 * What the server lists where nothing is configured, written down by the program itself in a folder where nothing is.
 * Where it cannot be had the server makes its list at each start, as it does where something is configured.
 */
function writeDefinitions(folder) {
  const nowhere = mkdtempSync(join(tmpdir(), "haft-build-"));
  const env = { ...process.env, HOME: nowhere, USERPROFILE: nowhere, XDG_CONFIG_HOME: nowhere };
  const args = [join(folder, "main.js"), "tools", "--json", "--ledger", "memory"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: nowhere,
    env,
    encoding: "utf8",
  });
  rmSync(nowhere, { recursive: true, force: true });
  if (status === 0) writeFileSync(join(folder, "definitions.json"), JSON.stringify(JSON.parse(stdout)));
  else process.stderr.write(`the definitions could not be written down: ${stderr}\n`);
}

await bundleCli(process.argv[2]);
writeDefinitions(join(process.argv[2], CLI));
