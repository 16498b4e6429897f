/**
 * Owns small tools whose result is the arguments that reached them, for tests of the gate and the runner.
 * Leaves real tools to src/tools. Rule: named and shaped as the real ones, those of later releases included.
 */
import { z } from "zod";
import type { Access } from "../../src/contract/access.ts";
import type { ToolContext } from "../../src/contract/context.ts";
import type { ToolResult } from "../../src/contract/output.ts";
import type { AnyTool } from "../../src/contract/tool.ts";
import { type MountInternals, mountTools } from "../../src/toolset/mount-tools.ts";
import type { Toolset } from "../../src/toolset/toolset.ts";

export interface EchoShape {
  readonly name: string;
  readonly changes: boolean;
  readonly input: z.ZodObject;
  readonly access?: (input: Record<string, unknown>) => Access["paths"];
  readonly run?: (input: Record<string, unknown>, context: ToolContext) => Promise<ToolResult<unknown>>;
}

/** A tool that gives back its arguments as JSON, unless it is told what to do. */
export function echoTool(shape: EchoShape): AnyTool {
  return {
    name: shape.name,
    annotations: {
      title: shape.name,
      readOnlyHint: !shape.changes,
      destructiveHint: shape.changes,
      idempotentHint: false,
      openWorldHint: false,
    },
    alwaysLoaded: false,
    input: shape.input,
    describe: () => `The ${shape.name} of a test.`,
    access: (input: Record<string, unknown>) => ({
      paths: shape.access?.(input) ?? [],
      runs: [],
      connects: [],
    }),
    run:
      shape.run ??
      (async (input: Record<string, unknown>) => ({ content: JSON.stringify(input), details: { input } })),
  } as unknown as AnyTool;
}

const pathInput = z.object({ path: z.string().optional() });

const whole = z.int().min(1).optional();

export const ECHO_TOOLS: readonly AnyTool[] = [
  echoTool({
    name: "read",
    changes: false,
    input: z.object({
      path: z.string(),
      offset: z.int().optional(),
      limit: whole,
      grep: z.string().optional(),
    }),
  }),
  echoTool({
    name: "grep",
    changes: false,
    input: z.object({
      pattern: z.string(),
      path: z.string().optional(),
      glob: z.string().optional(),
      ignore_case: z.boolean().optional(),
      context: z.int().min(0).max(20).optional(),
      mode: z.enum(["content", "files", "count"]).optional(),
      limit: whole,
    }),
  }),
  echoTool({
    name: "edit",
    changes: true,
    input: z.object({
      path: z.string(),
      edits: z
        .array(
          z.object({
            old_text: z.string().min(1),
            new_text: z.string(),
            replace_all: z.boolean().optional(),
            expected_replacements: z.int().min(1).optional().meta({ hidden: true }),
          }),
        )
        .min(1),
    }),
  }),
  echoTool({
    name: "write",
    changes: true,
    input: z.object({ path: z.string(), content: z.string(), overwrite: z.boolean().optional() }),
  }),
  echoTool({ name: "move", changes: true, input: z.object({ from: z.string(), to: z.string() }) }),
  echoTool({
    name: "bash",
    changes: true,
    input: z.object({
      command: z.string(),
      timeout_ms: z.int().min(1).optional(),
      cwd: z.string().optional(),
      background: z.boolean().optional(),
    }),
  }),
];

/** A tool on one path that does what the test says. */
export function pathTool(shape: {
  name?: string;
  changes?: boolean;
  run: Parameters<typeof echoTool>[0]["run"] & {};
}): AnyTool {
  const changes = shape.changes ?? false;
  return echoTool({
    name: shape.name ?? "touch",
    changes,
    input: pathInput,
    access: (input) => [
      {
        argument: "path",
        path: typeof input.path === "string" ? input.path : ".",
        effect: changes ? "writes" : "reads",
        link: "follow",
        mustExist: false,
      },
    ],
    run: shape.run,
  });
}

/** Mounts tools of a test over a directory, all of them. */
export function mountEcho(
  root: string,
  {
    tools = ECHO_TOOLS,
    options = {},
    internals = {},
  }: {
    readonly tools?: readonly AnyTool[];
    readonly options?: Readonly<Record<string, unknown>>;
    readonly internals?: MountInternals;
  } = {},
): Toolset<AnyTool, string> {
  const preset = { prefix: "", tools: tools.map((tool) => tool.name) };
  return mountTools({ catalog: tools, preset }, { root, ...options }, internals);
}
