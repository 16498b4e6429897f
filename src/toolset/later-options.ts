/**
 * Owns the options of tools that run commands, reach the network or are confined: their shapes, and what is wrong.
 * Leaves acting on them to those tools. Rule: isolation and confinement are promises of safety; a value that this
 * version cannot keep throws.
 */
import { OptionsError } from "../contract/errors.ts";
import { readPrivateHost } from "../net/private-hosts.ts";
import { isRecord } from "../text/is-record.ts";
import { showValue } from "./show-value.ts";

/** What commands see and how long they may run. */
export interface ShellOptions {
  /** What commands see beside the allowlist: names to pass on, values to set. */
  readonly env?: {
    /** Names of the host's variables. Default none. */
    readonly pass?: readonly string[];
    /** Names and values. Default none. */
    readonly set?: Readonly<Record<string, string>>;
  };
  /** Milliseconds that a command may run where its call names none. Default 120000. */
  readonly timeoutMs?: number;
  /** Milliseconds that a command may run whatever its call names. Default 600000. */
  readonly maxTimeoutMs?: number;
  /** What becomes of a command whose time is over: ended, or kept as a job where `jobs` is mounted. Default `"kill"`, in a session `"background"`. */
  readonly onTimeout?: "kill" | "background";
  /** Lets commands use the person's own caches of packages instead of some below the root. Default false. */
  readonly sharedCaches?: boolean;
}

/** What tools of the web may reach. */
export interface NetworkOptions {
  /** `host:port`, exactly: these skip the screen of addresses. Default none. */
  readonly privateHosts?: readonly string[];
  /** Resolves names; every address that it gives is screened, and what it throws is a failed look-up. Default: the system. */
  readonly lookup?: (host: string) => Promise<{ address: string; family: number }[]>;
}

/** Which browser `browse` runs. */
export interface BrowserOptions {
  /** Its program. Default: `HAFT_BROWSER`, then the usual names on PATH. */
  readonly path?: string;
}

/**
 * Whether the system confines commands and the browser. `"prefer"` fences files and processes, and says so where it
 * cannot; `"require"` takes the network away too, but for a relay to the screen, and refuses where it cannot.
 */
export type Confine = "off" | "prefer" | "require";

type Check = { readonly expected: string; readonly fits: (value: unknown) => boolean };
type Shape = { readonly [name: string]: Check | Shape };

const STRINGS: Check = {
  expected: "an array of strings",
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
};
const MILLISECONDS: Check = {
  expected: "a whole number of milliseconds, at least 1",
  fits: (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 1,
};
const STRING: Check = { expected: "a string", fits: (value) => typeof value === "string" && value !== "" };

const SHAPES: Shape = {
  shell: {
    env: {
      pass: STRINGS,
      set: {
        expected: "an object of strings",
        fits: (value) => isRecord(value) && Object.values(value).every((one) => typeof one === "string"),
      },
    },
    timeoutMs: MILLISECONDS,
    maxTimeoutMs: MILLISECONDS,
    onTimeout: {
      expected: '"kill" or "background"',
      fits: (value) => value === "kill" || value === "background",
    },
    sharedCaches: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  },
  network: {
    privateHosts: {
      expected: "an array of hosts with their ports, such as localhost:3000",
      fits: (value) =>
        STRINGS.fits(value) && (value as string[]).every((one) => readPrivateHost(one) !== undefined),
    },
    lookup: { expected: "a function", fits: (value) => typeof value === "function" },
  },
  browser: { path: STRING },
  isolation: { expected: '"none" or "worker"', fits: (value) => value === "none" || value === "worker" },
  confine: {
    expected: '"off", "prefer" or "require"',
    fits: (value) => value === "off" || value === "prefer" || value === "require",
  },
};

/** The options of commands, each with its default. */
export interface CheckedShell {
  readonly env: { readonly pass: readonly string[]; readonly set: Readonly<Record<string, string>> };
  readonly timeoutMs: number;
  readonly maxTimeoutMs: number;
  readonly onTimeout: "kill" | "background";
  readonly sharedCaches: boolean;
}

export interface LaterOptions {
  readonly isolation: "none" | "worker";
  readonly shell: CheckedShell;
  readonly network: NetworkOptions;
  readonly browser: BrowserOptions;
  readonly confine: Confine;
}

/** Two minutes: what agents' shells commonly wait, and longer than most builds of a package. */
const TIMEOUT_MS = 120_000;
/** Ten minutes: the longest that hosts commonly wait for one call. */
const MAX_TIMEOUT_MS = 600_000;

/** Throws `OptionsError` for the first option that has not its shape. */
export function checkLaterOptions(
  options: Readonly<Record<string, unknown>>,
  onTimeout: "kill" | "background",
): LaterOptions {
  for (const [name, shape] of Object.entries(SHAPES)) checkShape(name, options[name], shape);
  const shell: ShellOptions = options.shell ?? {};
  return {
    shell: completeShell(shell, onTimeout),
    network: options.network ?? {},
    browser: options.browser ?? {},
    isolation: options.isolation === "worker" ? "worker" : "none",
    confine: (options.confine as Confine | undefined) ?? "off",
  };
}

function completeShell(shell: ShellOptions, onTimeout: "kill" | "background"): CheckedShell {
  const maxTimeoutMs = shell.maxTimeoutMs ?? MAX_TIMEOUT_MS;
  return {
    env: { pass: shell.env?.pass ?? [], set: shell.env?.set ?? {} },
    // A maximum below the default is the default too.
    timeoutMs: shell.timeoutMs ?? Math.min(TIMEOUT_MS, maxTimeoutMs),
    maxTimeoutMs: Math.max(maxTimeoutMs, shell.timeoutMs ?? 0),
    onTimeout: shell.onTimeout ?? onTimeout,
    sharedCaches: shell.sharedCaches ?? false,
  };
}

function checkShape(option: string, value: unknown, shape: Check | Shape): void {
  if (value === undefined) return;
  if (isCheck(shape)) {
    if (!shape.fits(value))
      throw new OptionsError({ option, expected: shape.expected, got: showValue(value) });
    return;
  }
  const names = Object.keys(shape);
  if (!isRecord(value))
    throw new OptionsError({ option, expected: `an object with ${names.join(", ")}`, got: showValue(value) });
  for (const [name, inner] of Object.entries(value)) {
    const below = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (below === undefined)
      throw new OptionsError({ option: `${option}.${name}`, expected: `one of ${names.join(", ")}` });
    checkShape(`${option}.${name}`, inner, below);
  }
}

function isCheck(shape: Check | Shape): shape is Check {
  return typeof shape.fits === "function";
}
