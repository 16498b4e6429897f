/**
 * Owns finding the browser: what the host names, what HAFT_BROWSER names, else the usual names and places.
 * Leaves running it to run-browser.ts. Rule: what is named and cannot be run is an error, never a reason to take
 * another; and never a program below the root, whoever names it: a model may have written that one.
 */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { keepExecutable, listOnPath } from "../find-executable.ts";

export interface BrowserSearch {
  /** The root's real path. */
  readonly root: string;
  /** The option `browser.path`. */
  readonly option?: string | undefined;
  /** The environment of the host. */
  readonly host: NodeJS.ProcessEnv;
}

export type BrowserFound =
  | { readonly program: string }
  /** `tried` are names and places, in order. `wrong` is present where somebody named a browser. */
  | { readonly tried: readonly string[]; readonly wrong?: WrongBrowser };

export interface WrongBrowser {
  readonly by: "browser.path" | "HAFT_BROWSER";
  readonly value: string;
  readonly reason: string;
}

/** The variable by which a person names a browser. */
export const BROWSER_VARIABLE = "HAFT_BROWSER";

/** As they are called on PATH: those that are packaged by the system first. */
const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "chrome-headless-shell",
  "microsoft-edge",
  "microsoft-edge-stable",
  "brave-browser",
];

const PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ["/usr/bin/chromium", "/usr/bin/google-chrome", "/opt/google/chrome/chrome", "/snap/bin/chromium"],
  darwin: ["Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser"].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
};

const WINDOWS_PLACES = [
  "Google\\Chrome\\Application\\chrome.exe",
  "Microsoft\\Edge\\Application\\msedge.exe",
];

export function findBrowser({ root, option, host }: BrowserSearch): BrowserFound {
  const named = host[BROWSER_VARIABLE];
  const search = { root, path: host.PATH };
  if (option !== undefined) return takeNamed({ by: "browser.path", value: option, ...search });
  if (named !== undefined && named !== "")
    return takeNamed({ by: BROWSER_VARIABLE, value: named, ...search });
  const places = listPlaces(host);
  for (const place of [...NAMES.flatMap((name) => listOnPath(host.PATH, name)), ...places]) {
    const program = runnable(place, root);
    if (program !== undefined) return { program };
  }
  return { tried: [...NAMES, ...places] };
}

function listPlaces(host: NodeJS.ProcessEnv): readonly string[] {
  if (process.platform !== "win32") return PLACES[process.platform] ?? [];
  const folders = [host.ProgramFiles, host["ProgramFiles(x86)"], host.LOCALAPPDATA];
  return folders
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => WINDOWS_PLACES.map((place) => join(folder, place)));
}

interface Named {
  readonly by: WrongBrowser["by"];
  readonly value: string;
  readonly root: string;
  readonly path: string | undefined;
}

function takeNamed({ by, value, root, path }: Named): BrowserFound {
  const isName = basename(value) === value;
  const wrong = (reason: string): BrowserFound => ({ tried: [value], wrong: { by, value, reason } });
  // A relative path leads to another place in each working directory.
  if (!isName && !isAbsolute(value)) return wrong("it is neither an absolute path nor a name on PATH");
  const places = isName ? listOnPath(path, value) : [value];
  for (const place of places) {
    const program = runnable(place, root);
    if (program !== undefined) return { program };
  }
  return wrong(isName ? "no program of that name is on PATH, outside of the root" : explain(value));
}

/** What to run: the real path, so that nothing is exchanged between the look and the start. */
function runnable(place: string, root: string): string | undefined {
  const [real] = keepExecutable([place], root);
  // One program stands behind all names of snap, and goes by the name that it is called by.
  return real !== undefined && basename(real) === "snap" ? place : real;
}

function explain(path: string): string {
  try {
    const real = realpathSync(path);
    if (!statSync(real).isFile()) return "it is not a file";
    accessSync(real, constants.X_OK);
    return "it lies below the root, where what is run could have been written by a model";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "it does not exist" : "it cannot be executed";
  }
}
