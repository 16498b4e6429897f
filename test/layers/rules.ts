/**
 * Owns the import rule of ARCHITECTURE.md as data, each exception with its reason.
 * Leaves checking it to test/layers.test.ts. Rule: an exception names one file, not a folder, unless the folder's
 * whole purpose is the exception.
 */

/** A file imports only from its own room or from one that stands before it here. Rooms in one row are siblings. */
export const ROOMS: readonly (readonly string[])[] = [
  ["contract"],
  ["text"],
  ["process"],
  ["root"],
  ["net"],
  ["worker"],
  // Each folder of tools/ is a room of its own: siblings never import each other.
  ["tools/*"],
  ["tools/catalog.ts"],
  ["toolset"],
  ["ledger", "permission", "commitment"],
  // Nothing imports it. After permission, whose rules it applies where a tool walks there.
  ["worker-entry"],
  ["session"],
  ["surfaces/config", "surfaces/mcp", "surfaces/adapters"],
  ["surfaces/cli"],
  ["files.ts", "mcp.ts"],
  ["index.ts"],
];

export interface Exception {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/** Imports against the order. */
export const EXCEPTIONS: readonly Exception[] = [];

/** Rooms that only some others may enter, though they stand before more. Types may be imported anywhere. */
export const CLOSED_ROOMS: readonly {
  readonly room: string;
  readonly allowed: readonly string[];
  readonly why: string;
}[] = [
  {
    room: "process/",
    allowed: ["process/", "worker/", "worker-entry/"],
    why: "whatever is started is started by the worker: forking a large host is slow, and what it leaves is ended there",
  },
  {
    room: "worker-entry/",
    allowed: ["worker-entry/"],
    why: "it runs in a process of its own, and is found by its path",
  },
];

/** Who may import what reaches the disk, other programs and the network. Types may be imported anywhere. */
export const DOORS: readonly {
  readonly modules: readonly string[];
  readonly allowed: readonly { readonly place: string; readonly reason: string }[];
}[] = [
  {
    modules: ["node:fs", "node:fs/promises"],
    allowed: [
      { place: "root/", reason: "the tools' one door to the disk" },
      { place: "process/", reason: "finds programs and reads /proc" },
      { place: "worker/fence.ts", reason: "makes the folder that stands for /tmp of a session's commands" },
      {
        place: "worker/fence-layout.ts",
        reason: "looks at the machine around the root, which a fence covers",
      },
      {
        place: "ledger/ledger-file.ts",
        reason: "the database lies where the host says, inside a root or not",
      },
      { place: "worker-entry/line.ts", reason: "waits for an answer on a descriptor that it inherited" },
      { place: "surfaces/config/", reason: "the person's own configuration lies outside every root" },
      { place: "surfaces/cli/doctor/findings.ts", reason: "looks at the machine, not at a root" },
      {
        place: "surfaces/cli/doctor/state-finding.ts",
        reason: "reads the first bytes of what lies in the ledger's place",
      },
      {
        place: "surfaces/cli/doctor/configuration-findings.ts",
        reason: "looks whether the person has a configuration",
      },
      { place: "surfaces/cli/standard-definitions.ts", reason: "reads what the build wrote beside it" },
      { place: "surfaces/cli/demo/sample-workspace.ts", reason: "makes the sample that is then mounted" },
    ],
  },
  {
    modules: ["node:child_process"],
    allowed: [
      { place: "process/", reason: "the only code that spawns" },
      {
        place: "surfaces/cli/demo/run-sample-test.ts",
        reason: "proves the repair as the person would, past the tools",
      },
    ],
  },
  {
    modules: [
      "node:net",
      "node:http",
      "node:https",
      "node:http2",
      "node:tls",
      "node:dgram",
      "node:dns",
      "undici",
    ],
    allowed: [
      { place: "net/", reason: "the only code that connects" },
      { place: "process/drain.ts", reason: "reads the ends of pipes that commands write to" },
      {
        place: "process/listening-port.ts",
        reason: "asks this machine alone whether a job listens on a port",
      },
      {
        place: "surfaces/mcp/http-listener.ts",
        reason: "listens where the person says; it connects to nothing",
      },
      { place: "surfaces/mcp/http-guard.ts", reason: "tells addresses from names" },
      {
        place: "worker-entry/main.ts",
        reason: "opens the channel that it inherited; it connects to nothing",
      },
      {
        place: "worker-entry/relay.ts",
        reason: "pipes between a network that has nothing else and the socket of the host's screen",
      },
    ],
  },
];

/** Words that must not stand in source, and where they may. */
export const FORBIDDEN: readonly {
  readonly pattern: RegExp;
  readonly why: string;
  readonly allowed?: readonly string[];
}[] = [
  { pattern: /\beval\s*\(/, why: "eval runs text as code" },
  { pattern: /\bnew\s+Function\s*\(/, why: "new Function runs text as code" },
  { pattern: /(?::|\bas|<)\s*any\b(?!\s*\()/, why: "any turns the type checker off" },
  { pattern: /[\w)\]]!(?=[.;,)\]\s[])(?!\s*==)/, why: "a non-null assertion hides an absence" },
  {
    pattern: /process\.cwd\(\)/,
    why: "the root is given; only a surface knows a working directory",
    allowed: ["surfaces/"],
  },
  { pattern: /process\.kill\(/, why: "one module signals", allowed: ["process/signal.ts"] },
];

/** Comments that switch a check off. */
export const FORBIDDEN_COMMENTS: readonly RegExp[] = [/@ts-ignore/, /@ts-nocheck/, /@ts-expect-error/];

/** Names that say nothing about what a file owns. */
export const VAGUE_NAMES = [
  "utils",
  "util",
  "helpers",
  "helper",
  "common",
  "misc",
  "manager",
  "types",
  "index",
];
