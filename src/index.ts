/**
 * Owns the public surface of `haft`: explicit names only. Leaves everything to the rooms it exports from.
 * Rule: what is not named here is not promised.
 */
export type { Access, PathUse, Place } from "./contract/access.ts";
export type { Call, CallOptions, Dispatch } from "./contract/call.ts";
export type { ToolContext } from "./contract/context.ts";
export { NotFoundError, OptionsError, OutsideRootError, RefusalError } from "./contract/errors.ts";
export { DEFAULT_LIMITS, type Limits } from "./contract/limits.ts";
export type { Image, Note, ToolOutput, ToolResult } from "./contract/output.ts";
export { type Refusal, type RefusalCode, type RefusalFacts, refuse } from "./contract/refusal.ts";
export type { Annotations, AnyTool, Tool } from "./contract/tool.ts";
export { DEFAULT_FILE_TOOLS, DEFAULT_PREFIX, files } from "./files.ts";
export { under } from "./root/resolve.ts";
export { TOOL_NAMES } from "./tools/catalog.ts";
export { defineTool } from "./toolset/define-tool.ts";
export { mount } from "./toolset/mount.ts";
export type { MountOptions } from "./toolset/options.ts";
export type { ToolDefinition, Toolset } from "./toolset/toolset.ts";
