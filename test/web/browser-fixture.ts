/**
 * Owns what the tests of `browse` share: the browser of this machine, a toolset over a root of its own, and sites.
 * Leaves the cases to the tests. Rule: loopback only; names are answered by a stub, and only hosts that a test names
 * are allowed.
 */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, onTestFinished } from "vitest";
import type { ToolOutput } from "../../src/contract/output.ts";
import { findBrowser } from "../../src/process/browser/find-browser.ts";
import type { BrowseDetails } from "../../src/tools/browse/browse.ts";
import { mount } from "../../src/toolset/mount.ts";
import type { MountOptions } from "../../src/toolset/options.ts";
import { WHERE } from "../support/where-tools-run.ts";

const found = findBrowser({ root: "/nowhere", host: { ...process.env, HAFT_BROWSER: "" } });

/** The browser of this machine. */
export const BROWSER: string = "program" in found ? found.program : "";

/** Skips, and says so, where there is no browser. */
export function describeWithBrowser(name: string, tests: () => void): void {
  if (BROWSER === "") process.stdout.write(`skipped, for there is no browser here: ${name}\n`);
  describe.skipIf(BROWSER === "")(name, tests);
}

export interface Browsing {
  readonly root: string;
  /** Where profiles are made. */
  profiles(): readonly string[];
  browse(
    url: string,
    args?: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<ToolOutput<BrowseDetails>>;
  close(): Promise<void>;
}

export interface BrowsingOptions extends Pick<MountOptions, "network" | "limits" | "browser" | "confine"> {
  /** `host:port`. */
  readonly allowed?: readonly string[];
}

/** Every name is this machine. */
export const LOOPBACK = async (): Promise<{ address: string; family: number }[]> => [
  { address: "127.0.0.1", family: 4 },
];

export function openBrowsing({ allowed = [], ...more }: BrowsingOptions = {}): Browsing {
  const root = makeFolder();
  const tools = mount({
    root,
    tools: ["browse"],
    network: { privateHosts: [...allowed], lookup: LOOPBACK },
    ...WHERE,
    ...more,
  });
  onTestFinished(() => tools.close());
  const scratch = join(root, ".haft", "scratch", "main", "tmp");
  return {
    root,
    profiles: () => (existsSync(scratch) ? readdirSync(scratch) : []),
    browse: (url, args = {}, signal) =>
      tools.call("browse", { url, ...args }, signal === undefined ? {} : { signal }) as Promise<
        ToolOutput<BrowseDetails>
      >,
    close: () => tools.close(),
  };
}

/** Removed when the test is over. Short, as a root commonly is. */
export function makeFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "haft-w-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A program outside of every root that stands in for a browser. */
export function writeProgram(text: string): string {
  const path = join(makeFolder(), "browser.sh");
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** The variable is read at each call, by the host. */
export function nameBrowser(path: string): void {
  const before = process.env.HAFT_BROWSER;
  process.env.HAFT_BROWSER = path;
  onTestFinished(() => {
    if (before === undefined) delete process.env.HAFT_BROWSER;
    else process.env.HAFT_BROWSER = before;
  });
}
