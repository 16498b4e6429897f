/**
 * Owns a host that serves tools of its own: `serve.mjs DIRECTORY [OPTIONS as JSON]`. Leaves what is expected of it to
 * served.test.ts. Rule: it prints where it must not, as a careless host does.
 */
import { defineTool, isRefusal } from "haft";
import { serveMcp } from "haft/mcp";
import { z } from "zod";

const input = z.object({ path: z.string() });
const access = ({ path }) => ({ paths: [{ argument: "path", path, effect: "reads" }] });

const measure = defineTool({
  name: "measure",
  description: "Says how long a file is.",
  annotations: { readOnlyHint: true },
  input,
  access,
  async run({ path }, { files, progress }) {
    console.log("a stray line");
    progress("measuring");
    const bytes = await files.read("path");
    return isRefusal(bytes)
      ? bytes
      : { content: `${path}: ${bytes.length} bytes`, details: { bytes: bytes.length } };
  },
});

/** One pixel. */
const base64 =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const draw = defineTool({
  name: "draw",
  description: "Draws a pixel.",
  input: z.object({}),
  run: async () => ({
    content: "a pixel",
    details: {},
    images: [{ mediaType: "image/png", base64, width: 1, height: 1 }],
  }),
});

const [root = "", options = "{}"] = process.argv.slice(2);
await serveMcp({ root, tools: ["read", measure, draw], ledger: "memory", ...JSON.parse(options) });
