/**
 * A tool of a host's own, to copy: it raises the version in a `package.json`. It says which file it reads and writes,
 * so that permission, the schedule and `explain` know it before it runs; it reaches the file through `files`, which
 * keeps it inside the root and writes in one step; and what it cannot do it returns as a refusal, with what would work.
 */
import { defineTool, isRefusal, refuse } from "haft";
import { z } from "zod";

const input = z.object({
  path: z.string().describe("The package.json."),
  part: z.enum(["major", "minor", "patch"]).default("patch").describe("Which number to raise."),
});

export const bumpVersion = defineTool({
  name: "bump_version",
  description: "Raises the version in a package.json. Returns the old and the new one.",
  annotations: { title: "Raise a version", destructiveHint: false, openWorldHint: false },
  input,
  aliases: { path: ["file", "file_path"] },
  access: ({ path }) => ({ paths: [{ argument: "path", path, effect: "writes", mustExist: true }] }),
  async run({ path, part }, { files, progress }) {
    const bytes = await files.read("path");
    if (isRefusal(bytes)) return bytes; // a refusal: missing, a directory, too large …
    const text = Buffer.from(bytes).toString("utf8");
    const found = /("version"\s*:\s*")(\d+)\.(\d+)\.(\d+)"/.exec(text);
    if (found === null)
      return refuse("tool-failed", {
        message: `${path} has no "version" of three numbers. Nothing was changed.`,
      });
    const [all, before = "", ...numbers] = found;
    const old = numbers.join(".");
    const next = raise(numbers.map(Number), part);
    progress(`${old} → ${next}`);
    const written = await files.write("path", text.replace(all, `${before}${next}"`));
    if (isRefusal(written)) return written;
    return { content: `${path}: ${old} → ${next}`, details: { old, next } };
  },
});

function raise([major = 0, minor = 0, patch = 0]: number[], part: "major" | "minor" | "patch"): string {
  if (part === "major") return `${major + 1}.0.0`;
  return part === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
