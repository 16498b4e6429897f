/**
 * Owns the JSON Schemas of the two configurations as they are published, for editors and other programs.
 * Leaves the schema itself to schema.ts. Rule: made from it, never written by hand.
 */
import { z } from "zod";
import { PERSON_SCHEMA, PROJECT_SCHEMA } from "./schema.ts";

/** File names below `docs/` with what stands in them. */
export function publishSchemas(): ReadonlyMap<string, unknown> {
  const publish = (title: string, schema: z.ZodType) => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input" });
    return { $schema, title, ...rest };
  };
  return new Map([
    ["haft.config.schema.json", publish("haft.config.json", PROJECT_SCHEMA)],
    ["config.schema.json", publish("haft/config.json", PERSON_SCHEMA)],
  ]);
}
