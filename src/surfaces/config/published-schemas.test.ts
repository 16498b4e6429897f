/** Owns that the published schemas are those of the code, and say what a configuration may be. Rule: the committed files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OPTION_NAMES } from "../../toolset/options.ts";
import { publishSchemas } from "./published-schemas.ts";
import { PROJECT_SCHEMA } from "./schema.ts";

const docs = join(import.meta.dirname, "..", "..", "..", "docs");

describe("the published schemas", () => {
  it.each([...publishSchemas()])("%s is what the code makes", (name, schema) => {
    expect(JSON.parse(readFileSync(join(docs, name), "utf8"))).toEqual(schema);
  });

  it("have a key for each option that can be said in JSON, or a reason not to", () => {
    const functions = ["resolve", "refusal", "afterWrite"];
    const keys = Object.keys(PROJECT_SCHEMA.shape);
    const missing = OPTION_NAMES.filter((name) => !keys.includes(name) && !functions.includes(name));
    // Where a configuration lies, or which root it is asked for, says the root.
    expect(missing).toEqual(["root"]);
  });

  it("say of each key what it means", () => {
    for (const [key, schema] of Object.entries(PROJECT_SCHEMA.shape))
      expect([key, schema.description ?? schema.unwrap().description]).toEqual([key, expect.any(String)]);
  });
});
