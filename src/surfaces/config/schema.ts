/**
 * Owns what may stand in a configuration, the person's and a project's: one schema for both, with the words of each key.
 * Leaves merging to configure.ts, what a project may do without trust to narrow.ts. Rule: a key is an option of
 * `openSession` and means the same; what is published as JSON Schema is made from here.
 */
import { z } from "zod";
import { MODES } from "../../contract/decision.ts";
import { DEFAULT_LIMITS } from "../../contract/limits.ts";
import { TOOL_NAMES } from "../../tools/catalog.ts";

const WORDS = z.array(z.string());
const RULES = z
  .strictObject({
    allow: WORDS.describe("What is allowed. In a project's file: only once it is trusted.").optional(),
    ask: WORDS.describe("What a person is asked about first.").optional(),
    deny: WORDS.describe("What is forbidden; a deny beats every other rule.").optional(),
  })
  .describe(
    "Rules, each NAME or NAME(pattern): bash, runs(npm test), writes(src/**), connects(example.com).",
  );

const LIMITS = z
  .strictObject(
    Object.fromEntries(
      Object.keys(DEFAULT_LIMITS).map((name) => [name, z.int().min(0).optional()]),
    ) as Record<keyof typeof DEFAULT_LIMITS, z.ZodOptional<z.ZodInt>>,
  )
  .describe(
    "Bounds of answers; 0 is the default. In a project's file: lower ones, higher once it is trusted.",
  );

const MILLISECONDS = z.int().min(1);
const SHELL = z
  .strictObject({
    env: z
      .strictObject({
        pass: WORDS.describe("Names of variables that commands see beside the allowlist.").optional(),
        set: z
          .record(z.string(), z.string())
          .describe("Variables that commands see, with their values.")
          .optional(),
      })
      .optional(),
    timeoutMs: MILLISECONDS.optional(),
    maxTimeoutMs: MILLISECONDS.optional(),
    onTimeout: z.enum(["kill", "background"]).optional(),
    sharedCaches: z.boolean().optional(),
  })
  .describe("What commands see and how long they may run. In a project's file: once it is trusted.");

const trusted = (text: string): string => `${text} In a project's file: once it is trusted.`;

const SETTINGS = {
  mode: z
    .enum(MODES as [string, ...string[]] as unknown as ["read-only", "workspace-write", "full-access"])
    .describe("What is allowed where no rule speaks. In a project's file: a stricter one than the person's.")
    .optional(),
  rules: RULES.optional(),
  readOnly: z.boolean().describe("Gives only the tools that change nothing.").optional(),
  tools: z
    .array(z.enum(TOOL_NAMES as unknown as [string, ...string[]]))
    .describe("Names of the tools to give. In a project's file: fewer than the person's.")
    .optional(),
  limits: LIMITS.optional(),
  extraIgnore: WORDS.describe(
    "gitignore patterns, relative to the root, hidden from walks. In a project's file: those that begin with ! once it is trusted.",
  ).optional(),
  prefix: z.string().describe(trusted("Put before each tool's name.")).optional(),
  allowGenerated: z
    .boolean()
    .describe(trusted("Lets edit and write change files whose header says that they are generated."))
    .optional(),
  overwriteUnread: z
    .boolean()
    .describe(trusted("Lets write replace a file that was not shown whole."))
    .optional(),
  strictEdits: z.boolean().describe(trusted("Turns the tolerance of edit off.")).optional(),
  ripgrep: z.enum(["auto", "always", "never"]).describe(trusted("Which search engine grep uses.")).optional(),
  shell: SHELL.optional(),
  network: z
    .strictObject({
      privateHosts: WORDS.describe("host:port, exactly: these skip the screen of addresses.").optional(),
    })
    .describe(trusted("What tools may reach."))
    .optional(),
  browser: z
    .strictObject({ path: z.string().min(1).describe("The browser's program.").optional() })
    .describe(trusted("The browser of browse."))
    .optional(),
  isolation: z.enum(["none", "worker"]).describe(trusted("Where tools run.")).optional(),
  confine: z
    .enum(["off", "prefer", "require"])
    .describe(trusted("Whether the system confines commands and the browser."))
    .optional(),
  ledger: z
    .string()
    .min(1)
    .describe(trusted('Where calls and results are kept: "memory", or a path, relative to the root.'))
    .optional(),
  stateDir: z
    .string()
    .min(1)
    .describe(trusted("Where state is kept instead of .haft; relative to the root."))
    .optional(),
  commitments: z.boolean().describe(trusted("Gives the tool commitments too.")).optional(),
};

const SCHEMA_NOTE = { $schema: z.string().describe("Where this schema lies, for editors.").optional() };

export const PROJECT_SCHEMA = z
  .strictObject({ ...SCHEMA_NOTE, ...SETTINGS })
  .describe("haft.config.json in a root: narrows what the person gave, and widens it once it is trusted.");

const ROOT_SCHEMA = z.strictObject({
  ...SETTINGS,
  trusted: z
    .string()
    .describe("The hash of the project's file that is trusted; haft trust writes it.")
    .optional(),
});

export const PERSON_SCHEMA = z
  .strictObject({
    ...SCHEMA_NOTE,
    ...SETTINGS,
    roots: z
      .record(z.string(), ROOT_SCHEMA)
      .describe("By the real path of a root: the same keys, for that root alone.")
      .optional(),
  })
  .describe("The person's configuration, $XDG_CONFIG_HOME/haft/config.json: for every root, and by root.");

export type ProjectSettings = z.infer<typeof PROJECT_SCHEMA>;
export type Settings = Omit<ProjectSettings, "$schema">;
export type PersonConfiguration = z.infer<typeof PERSON_SCHEMA>;
