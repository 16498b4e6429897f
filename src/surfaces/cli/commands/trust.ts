/**
 * Owns `haft trust`: which project files may do more than narrow.
 * Leaves what they open to surfaces/config. Rule: what is put in force is printed; trust is in the bytes that were
 * read, so a file that changes is untrusted again.
 */
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { configure } from "../../config/configure.ts";
import { realOf } from "../../config/person-file.ts";
import { PROJECT_FILE } from "../../config/places.ts";
import { readProject } from "../../config/project-settings.ts";
import { listTrusted, revokeTrust, trustProject } from "../../config/trust.ts";
import { LIMITS } from "../open-with-flags.ts";
import { printJson, printLine } from "../print.ts";

const EXAMPLES = `
A project's ${PROJECT_FILE} may narrow what the agent can do: deny and ask rules, a stricter mode, fewer tools. Whatever
else stands in it is ignored until you trust the file. Read it first. A file that changes is untrusted again.

Examples:
  haft trust ~/project
  haft trust --list
  haft trust --revoke ~/project`;

interface TrustFlags {
  readonly revoke?: boolean;
  readonly list?: boolean;
  readonly json?: boolean;
}

export function addTrustCommand(program: Command): void {
  const command = program
    .command("trust")
    .description(`put in force what a project's ${PROJECT_FILE} asks for beyond narrowing`)
    .argument("[dir]", "the root in which the file lies")
    .option("--revoke", "take it back")
    .option("--list", "print the roots whose file is trusted")
    .option("--json", "print it as JSON")
    .addHelpText("after", EXAMPLES);
  command.action(async (dir: string | undefined, flags: TrustFlags) => {
    if (flags.list) return printTrusted(flags);
    if (dir === undefined) return command.error("error: missing required argument 'dir'", { exitCode: 2 });
    const root = realOf(resolve(dir));
    if (flags.revoke) return revoke(root, flags);
    return trust(root, flags);
  });
}

async function trust(root: string, flags: TrustFlags): Promise<void> {
  const path = join(root, PROJECT_FILE);
  const { project, widening } = configure({ root, limits: LIMITS });
  const { file, unknown } = project;
  if (file.kind === "none") throw new Error(`there is no ${path}`);
  if (file.kind !== "read") throw new Error(`${path} cannot be trusted: ${file.why}`);
  // As trusted it is checked whole; and what is trusted must be what was shown.
  if (readProject(root, file.hash).trust !== "trusted")
    throw new Error(`${path} has just changed; look again`);
  await trustProject(root, file.hash);
  if (flags.json) return printJson({ root, hash: file.hash, inForce: widening, unknown });
  printLine(`trusted: ${path} (${file.hash})`);
  for (const key of widening) printLine(`  in force now: ${key}`);
  if (project.trust === "trusted") printLine("  it was trusted already");
  else if (widening.length === 0) printLine("  it asks for nothing that needs trust");
  for (const key of unknown) printLine(`  no key, ignored: ${key}`);
}

async function revoke(root: string, flags: TrustFlags): Promise<void> {
  const wasTrusted = await revokeTrust(root);
  if (flags.json) return printJson({ root, revoked: wasTrusted });
  printLine(wasTrusted ? `no longer trusted: ${join(root, PROJECT_FILE)}` : `${root} was not trusted`);
}

const STATES = {
  trusted: "trusted",
  changed: "changed since it was trusted: not in force",
  missing: "gone, or no file that can be read",
} as const;

function printTrusted(flags: TrustFlags): void {
  const trusted = listTrusted();
  if (flags.json) printJson({ trusted });
  else if (trusted.length === 0) printLine("no project is trusted");
  else for (const { root, state } of trusted) printLine(`${join(root, PROJECT_FILE)}: ${STATES[state]}`);
}
