/**
 * Owns the options of `mount` and `files`: their types, and what is wrong with them.
 * Leaves acting on them to mount-tools.ts, the root to root/open-root.ts, and whether there is a ripgrep to give-worker.ts.
 * Rule: a wrong option throws once, at mounting, with its name and what is expected. An option that this version
 * cannot honour is refused rather than ignored: a host that asks for confinement must not go without it.
 */
import { OptionsError } from "../contract/errors.ts";
import { DEFAULT_LIMITS, type Limits } from "../contract/limits.ts";
import type { ResolveHook } from "../contract/root.ts";
import type { AnyTool } from "../contract/tool.ts";
import { nearestName } from "../text/edit-distance.ts";
import { isRecord } from "../text/is-record.ts";
import {
  checkFlag,
  checkFunction,
  checkRipgrep,
  checkStrings,
  isOneOf,
  unknownOption,
} from "./check-option.ts";
import { isDefined } from "./define-tool.ts";
import {
  type BrowserOptions,
  type CheckedShell,
  type Confine,
  checkLaterOptions,
  type NetworkOptions,
  type ShellOptions,
} from "./later-options.ts";
import type { AfterWriteHook, RefusalHook } from "./mounted.ts";
import { showValue } from "./show-value.ts";

/** What `mount` and `files` take. Absent and `undefined` mean the default. */
export interface MountOptions<Name extends string = string> {
  /** The directory that every path is relative to. Required; it must exist. */
  readonly root: string;
  /**
   * Bare names of the tools to mount, in any order, and tools of the host's own as `defineTool` makes them, which come
   * behind haft's. Default: of `mount` read, list, glob, grep, edit, write; of `files` read, list, grep,
   * edit, write; of a session all but `commitments`.
   */
  readonly tools?: readonly (Name | AnyTool)[] | undefined;
  /** Keeps only tools that change nothing, whatever `tools` says. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Put before each name: letters, digits, `_` and `-`. `""` is none. Default `""`, in `files` `"file_"`. */
  readonly prefix?: string | undefined;
  /** Bounds of answers, each a whole number in the unit that `Limits` says; 0 means the default. Default `DEFAULT_LIMITS`; in a session a `readMax` of 24576 and a `resultMax` of 30000. */
  readonly limits?: { readonly [L in keyof Limits]?: number | undefined } | undefined;
  /** gitignore patterns, relative to the root, hidden from walks on top of `.gitignore`. Default none. */
  readonly extraIgnore?: readonly string[] | undefined;
  /** Lets edit and write change files whose header says that they are generated. Default false. */
  readonly allowGenerated?: boolean | undefined;
  /** Lets write replace a file that was not shown whole, without `overwrite: true`. Default false. */
  readonly overwriteUnread?: boolean | undefined;
  /** Turns the tolerance of edit off. Default false. */
  readonly strictEdits?: boolean | undefined;
  /** Which search engine grep uses. Default `"auto"`. `"always"` throws where no ripgrep is found. */
  readonly ripgrep?: "auto" | "always" | "never" | undefined;
  /** Replaces path resolution: absolute path out. It owns its own containment; `under` is there to fall back on. What it throws becomes the refusal. Default: the rules of the root. */
  readonly resolve?: ResolveHook | undefined;
  /** Words the refusals of paths that are outside or missing. Default, and where it throws: the text of haft's own. */
  readonly refusal?: RefusalHook | undefined;
  /** Awaited once a call, after the bytes are on disk, with the root-relative paths changed. If it throws, the call still succeeds and `notes` say so. Default nobody is told. */
  readonly afterWrite?: AfterWriteHook | undefined;
  /** What commands see and how long they may run. Default: what each of its members says. */
  readonly shell?: ShellOptions | undefined;
  /** What webfetch and browse may connect to beside the public Internet, and what resolves names for them. Default: nothing, and the system. */
  readonly network?: NetworkOptions | undefined;
  /** The browser of browse. Default: it is looked for. */
  readonly browser?: BrowserOptions | undefined;
  /** Where tools run: `"none"`, the default, in this process; `"worker"` in a child process, so that a crash or a flood costs one call. */
  readonly isolation?: "none" | "worker" | undefined;
  /**
   * Whether the system confines commands and the browser (Linux, with bubblewrap). Default `"off"`. `"prefer"` fences
   * files and processes, keeps the network, and says so where it cannot; `"require"` takes the network away too, but for
   * a relay to the screen that `webfetch` goes through, and throws where it cannot.
   */
  readonly confine?: Confine | undefined;
}

/** Every option, checked and with its default. */
export interface CheckedOptions {
  readonly isolation: "none" | "worker";
  readonly tools: readonly string[];
  readonly readOnly: boolean;
  readonly prefix: string;
  readonly limits: Limits;
  readonly extraIgnore: readonly string[];
  readonly allowGenerated: boolean;
  readonly overwriteUnread: boolean;
  readonly strictEdits: boolean;
  readonly ripgrep: "auto" | "always" | "never";
  readonly resolve?: ResolveHook;
  readonly refusal?: RefusalHook;
  readonly afterWrite?: AfterWriteHook;
  readonly shell: CheckedShell;
  readonly network: NetworkOptions;
  readonly browser: BrowserOptions;
  readonly confine: Confine;
}

/** What differs between `mount` and `files`. */
export interface Preset {
  readonly prefix: string;
  /** Bare names that are mounted where `tools` is absent. */
  readonly tools: readonly string[];
  /** Bare names that `tools` may give. */
  readonly known: readonly string[];
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  /** What becomes of a command whose time is over; `"kill"` where absent. */
  readonly onTimeout?: "kill" | "background";
  /** Whether this is a session, which alone can give some tools. */
  readonly inSession?: boolean;
}

/** The names of all options, pinned. */
export const OPTION_NAMES = [
  "root",
  "tools",
  "readOnly",
  "prefix",
  "limits",
  "extraIgnore",
  "allowGenerated",
  "overwriteUnread",
  "strictEdits",
  "ripgrep",
  "resolve",
  "refusal",
  "afterWrite",
  "shell",
  "network",
  "browser",
  "isolation",
  "confine",
] as const satisfies readonly (keyof MountOptions)[];

const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS) as (keyof Limits)[];

/** Tools that only a session can give. */
const SESSION_TOOLS: ReadonlySet<string> = new Set(["recall", "commitments"]);

/** Checks all options; whether `root` is a directory is left to the root. */
export function checkOptions(options: unknown, preset: Preset): CheckedOptions {
  if (!isRecord(options))
    throw new OptionsError({
      option: "root",
      expected: "an object with the option root, a directory that exists",
    });
  for (const name of Object.keys(options))
    if (!isOneOf(name, OPTION_NAMES)) throw unknownOption(name, OPTION_NAMES, "");
  const flag = (name: "readOnly" | "allowGenerated" | "overwriteUnread" | "strictEdits") =>
    checkFlag(name, options[name]);
  const { root } = options;
  if (typeof root !== "string" || root === "" || root.includes("\0"))
    throw new OptionsError({ option: "root", expected: "a directory that exists", got: showValue(root) });
  const { shell, network, browser, isolation, confine } = checkLaterOptions(
    options,
    preset.onTimeout ?? "kill",
  );
  const resolve = checkFunction("resolve", options.resolve) as ResolveHook | undefined;
  const refusal = checkFunction("refusal", options.refusal) as RefusalHook | undefined;
  const afterWrite = checkFunction("afterWrite", options.afterWrite) as AfterWriteHook | undefined;
  return {
    tools: checkTools(options.tools, preset),
    readOnly: flag("readOnly"),
    prefix: checkPrefix(options.prefix, preset),
    limits: checkLimits(options.limits, { ...DEFAULT_LIMITS, ...preset.limits }),
    extraIgnore: checkStrings("extraIgnore", options.extraIgnore) ?? [],
    allowGenerated: flag("allowGenerated"),
    overwriteUnread: flag("overwriteUnread"),
    strictEdits: flag("strictEdits"),
    ripgrep: checkRipgrep(options.ripgrep),
    shell,
    network,
    browser,
    isolation,
    confine,
    ...(resolve === undefined ? {} : { resolve }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(afterWrite === undefined ? {} : { afterWrite }),
  };
}

function checkTools(value: unknown, preset: Preset): readonly string[] {
  if (value === undefined) return preset.tools;
  const names = Array.isArray(value) ? value.map((one) => (isDefined(one) ? one.name : one)) : undefined;
  const stranger = names?.find((one) => typeof one !== "string");
  if (names === undefined || stranger !== undefined)
    throw new OptionsError({
      option: "tools",
      expected: "an array of names, and of tools as defineTool makes them",
      got: showValue(stranger ?? value),
    });
  const known = preset.known.filter((name) => preset.inSession === true || !SESSION_TOOLS.has(name));
  for (const name of names as readonly string[]) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    const why = SESSION_TOOLS.has(name)
      ? ` (${name} needs a session)`
      : near === undefined
        ? ""
        : `; did you mean ${near}?`;
    throw new OptionsError({
      option: "tools",
      expected: `names among ${known.join(", ")}${why}`,
      got: showValue(name),
    });
  }
  return preset.known.filter((name) => names.includes(name));
}

function checkPrefix(value: unknown, preset: Preset): string {
  if (value === undefined) return preset.prefix;
  const longest = Math.max(...preset.known.map((name) => name.length));
  if (typeof value === "string" && /^[a-zA-Z0-9_-]*$/.test(value) && value.length + longest <= 64)
    return value;
  throw new OptionsError({
    option: "prefix",
    expected: "letters, digits, _ and -, so short that every name has at most 64 characters",
    got: showValue(value),
  });
}

function checkLimits(value: unknown, defaults: Limits): Limits {
  if (value === undefined) return defaults;
  if (!isRecord(value))
    throw new OptionsError({ option: "limits", expected: "an object of limits", got: showValue(value) });
  const limits: { -readonly [L in keyof Limits]: number } = { ...defaults };
  for (const [name, limit] of Object.entries(value)) {
    if (!isOneOf(name, LIMIT_NAMES)) throw unknownOption(name, LIMIT_NAMES, "limits.");
    if (limit === undefined || limit === 0) continue;
    if (typeof limit !== "number" || !Number.isSafeInteger(limit) || limit < 0)
      throw new OptionsError({
        option: `limits.${name}`,
        expected: "a whole number, 0 for the default",
        got: showValue(limit),
      });
    limits[name] = limit;
  }
  return Object.freeze(limits);
}
