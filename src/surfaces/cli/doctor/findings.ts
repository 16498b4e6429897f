/**
 * Owns what `haft doctor` looks for, and what the absence of each costs.
 * Leaves printing to commands/doctor.ts. Rule: looks and never changes; nothing found is run, but for a fence around nothing.
 */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { findNodeDriver } from "../../../ledger/node-driver.ts";
import { DRIVER_PACKAGE, findPackagedDriver } from "../../../ledger/packaged-driver.ts";
import { listRipgreps } from "../../../worker/look-for-programs.ts";
import { findPageBrowser } from "./browser-finding.ts";
import { findConfigurations } from "./configuration-findings.ts";
import { findConfinement } from "./confinement-finding.ts";
import { findState } from "./state-finding.ts";
import { findWorker } from "./worker-finding.ts";

export interface Finding {
  readonly name: string;
  readonly found: boolean;
  /** Where or which version; what is wrong where it is not found. */
  readonly detail: string;
  /** What goes without it. */
  readonly costs: string;
  /** haft does not work without it. */
  readonly required: boolean;
}

export async function collectFindings(root: string): Promise<readonly Finding[]> {
  return [
    findNode(),
    findRoot(root),
    findContainment(),
    findRipgrep(root),
    await findWorker(),
    await findConfinement(realOf(root)),
    findPageBrowser(realOf(root)),
    findSqlite(),
    await findState(realOf(root)),
    await findPackage({
      name: "sharp",
      costs: "images larger than model providers accept are refused, not shrunk",
    }),
    await findPackage({ name: "unpdf", costs: "PDF documents are refused, not read" }),
    await findPackage({ name: "@modelcontextprotocol/client", costs: "haft demo does not run" }),
    findGit(),
    ...findConfigurations(root),
  ];
}

function findNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const found = major > 20 || (major === 20 && minor >= 19);
  return {
    name: "node",
    found,
    detail: found ? process.versions.node : `${process.versions.node}, at least 20.19 is needed`,
    costs: "haft does not run",
    required: true,
  };
}

function findRoot(root: string): Finding {
  const base = { name: "root", costs: "nothing can be mounted", required: true };
  try {
    const real = realpathSync(root);
    if (!statSync(real).isDirectory()) return { ...base, found: false, detail: `${root} is no directory` };
    const writable = isAllowed(real, constants.W_OK);
    return { ...base, found: true, detail: writable ? real : `${real}, which cannot be written to` };
  } catch {
    return { ...base, found: false, detail: `${root} does not exist` };
  }
}

function findContainment(): Finding {
  const found = process.platform === "linux" && isAllowed("/proc/self/fd", constants.R_OK);
  return {
    name: "containment by descriptor",
    found,
    detail: found ? "/proc/self/fd" : `not on ${process.platform}`,
    costs: "a directory exchanged for a link within the same instant is found by comparing, not prevented",
    required: false,
  };
}

function findRipgrep(root: string): Finding {
  const [path] = listRipgreps({ root: realOf(root), path: process.env.PATH, packaged: true });
  return {
    name: "ripgrep",
    found: path !== undefined,
    detail: path ?? "not on PATH, and the optional package @vscode/ripgrep is not installed",
    costs: "grep finds the same, and takes longer in trees of many thousand files",
    required: false,
  };
}

function findSqlite(): Finding {
  const detail =
    findNodeDriver() !== undefined
      ? "of this Node"
      : findPackagedDriver() !== undefined
        ? DRIVER_PACKAGE
        : `this Node brings none (22.13 does), and the optional package ${DRIVER_PACKAGE} is not installed`;
  return {
    name: "sqlite",
    found: !detail.startsWith("this Node"),
    detail,
    costs: 'a session opens only with its ledger in memory (ledger: "memory"), and haft ledger does not work',
    required: false,
  };
}

function findGit(): Finding {
  const path = findProgram("git");
  return {
    name: "git",
    found: path !== undefined,
    detail: path ?? "not on PATH",
    costs: "nothing is lost, ignore rules are read without it",
    required: false,
  };
}

async function findPackage(wanted: { name: string; costs: string }): Promise<Finding> {
  try {
    await import(wanted.name);
    return { ...wanted, found: true, detail: "installed", required: false };
  } catch {
    return { ...wanted, found: false, detail: "not installed, or not for this system", required: false };
  }
}

/** A program on PATH by its real path. */
function findProgram(name: string): string | undefined {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(resolve(folder), file);
    if (folder !== "" && isAllowed(path, constants.X_OK)) return realpathSync(path);
  }
  return undefined;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
