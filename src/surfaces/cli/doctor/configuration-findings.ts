/**
 * Owns what `haft doctor` says of the two configurations: whether they are followed, and what of them is not.
 * Leaves reading them to surfaces/config. Rule: looks and never changes.
 */
import { existsSync } from "node:fs";
import { configure } from "../../config/configure.ts";
import { configurationPath } from "../../config/places.ts";
import { LIMITS } from "../open-with-flags.ts";
import type { Finding } from "./findings.ts";

const PERSON = { name: "person's configuration", required: false } as const;
const PROJECT = { name: "project's configuration", required: false } as const;

export function findConfigurations(root: string): readonly Finding[] {
  const path = configurationPath();
  const person: Finding = existsSync(path)
    ? { ...PERSON, found: true, detail: path, costs: "" }
    : {
        ...PERSON,
        found: false,
        detail: `no ${path}`,
        costs: "nothing is lost, the flags and defaults hold",
      };
  try {
    return [person, findProject(root)];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const costs = "no session opens here until it is repaired";
    const broken = { found: false, detail, costs };
    // Which of the two it is stands in the message.
    return detail.startsWith(path) ? [{ ...PERSON, ...broken }] : [person, { ...PROJECT, ...broken }];
  }
}

function findProject(root: string): Finding {
  const { project, widening, notes } = configure({ root, limits: LIMITS });
  if (project.file.kind === "none")
    return { ...PROJECT, found: false, detail: "no haft.config.json", costs: "nothing is lost" };
  if (notes.length === 0)
    return { ...PROJECT, found: true, detail: `in force, ${TRUST_WORDS[project.trust]}`, costs: "" };
  const costs =
    project.file.kind === "ignored"
      ? "nothing of it is in force"
      : widening.length > 0
        ? "these keys are not in force, the rest is"
        : "these keys do nothing, the rest is in force";
  return { ...PROJECT, found: false, detail: notes.join(". "), costs };
}

const TRUST_WORDS = {
  trusted: "trusted",
  untrusted: "and it only narrows",
  changed: "changed since it was trusted, and it only narrows",
} as const;
