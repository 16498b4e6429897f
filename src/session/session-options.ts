/**
 * Owns the options of `openSession` beside those of `mount`: their types, and what is wrong with them.
 * Leaves the options of `mount` to the toolset, rules to permission/. Rule: as for `mount`: a wrong option throws
 * once, with its name and what is expected, before anything is opened.
 */
import { resolve } from "node:path";
import type { Approve, Mode, Rules } from "../contract/decision.ts";
import { MODES } from "../contract/decision.ts";
import { OptionsError } from "../contract/errors.ts";
import { isAgentId } from "../root/scratch.ts";
import { nearestName } from "../text/edit-distance.ts";
import { isRecord } from "../text/is-record.ts";
import type { Wrapper } from "../toolset/dispatch.ts";
import { type MountOptions, OPTION_NAMES } from "../toolset/options.ts";
import { showValue } from "../toolset/show-value.ts";
import type { OnEvent } from "./session-events.ts";

/** What `openSession` takes: every option of `mount`, and these. Absent and `undefined` mean the default. */
export interface SessionOptions<Name extends string = string> extends MountOptions<Name> {
  /** What is allowed where no rule speaks. Default `"workspace-write"`. */
  readonly mode?: Mode | undefined;
  /** What is different from the mode. Default none. */
  readonly rules?: Rules | undefined;
  /** Asks a person. Default: nobody, and every ask is a denial. */
  readonly approve?: Approve | undefined;
  /** `"memory"`, or the path of a file, best outside of the root, where no tool can change it. Default: `ledger.db` in the state's directory. */
  readonly ledger?: string | undefined;
  /** Where state is kept: the path of a directory outside of the root. Default: `.haft` in the root. */
  readonly stateDir?: string | undefined;
  /** Letters, digits, `_` and `-`, at most 64. Default `"main"`. */
  readonly agentId?: string | undefined;
  /** Letters, digits, `_` and `-`, at most 64. An existing one is resumed. Default: a new one. */
  readonly sessionId?: string | undefined;
  /** `{ enabled: true }` gives the tool `commitments` and the session's own `commitments`. Default false. */
  readonly commitments?: false | { readonly enabled: boolean } | undefined;
  /** The host's own wrappers, outermost first: they stand between arguments and permission. Default none. */
  readonly use?: readonly Wrapper[] | undefined;
  /** Told what happens. Default nobody. */
  readonly onEvent?: OnEvent | undefined;
  /** Told a rule that a person gave for from now on. Default: the rule lives as long as the session. */
  readonly saveRule?: ((rule: string) => void | Promise<void>) | undefined;
  /** From the fifth identical call in a row on, one line in place of the same text. Default true. */
  readonly repeatNotice?: boolean | undefined;
  /** Closes the session when it is aborted. Default none. */
  readonly signal?: AbortSignal | undefined;
}

/** The names of the options that `mount` does not have, pinned. */
export const SESSION_OPTION_NAMES = [
  "mode",
  "rules",
  "approve",
  "ledger",
  "stateDir",
  "agentId",
  "sessionId",
  "commitments",
  "use",
  "onEvent",
  "saveRule",
  "repeatNotice",
  "signal",
] as const satisfies readonly Exclude<keyof SessionOptions, keyof MountOptions>[];

type OwnName = (typeof SESSION_OPTION_NAMES)[number];

export interface CheckedSession {
  readonly mode: Mode;
  readonly rules: Rules | undefined;
  readonly approve: Approve | undefined;
  readonly ledger: string | undefined;
  readonly stateDir: string | undefined;
  readonly agentId: string;
  readonly sessionId: string | undefined;
  readonly hasCommitments: boolean;
  readonly use: readonly Wrapper[];
  readonly onEvent: OnEvent | undefined;
  readonly saveRule: ((rule: string) => void | Promise<void>) | undefined;
  readonly repeatNotice: boolean;
  readonly signal: AbortSignal | undefined;
  /** What is left for mounting. */
  readonly mount: Readonly<Record<string, unknown>>;
}

interface Check {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

const FUNCTION: Check = { expected: "a function", fits: (value) => typeof value === "function" };
const ID: Check = {
  expected: "1 to 64 letters, digits, _ and -",
  fits: (value) => typeof value === "string" && isAgentId(value),
};

const CHECKS: Readonly<Record<OwnName, Check>> = {
  mode: {
    expected: MODES.map((mode) => JSON.stringify(mode)).join(", "),
    fits: (value) => MODES.some((mode) => mode === value),
  },
  rules: { expected: "an object with allow, ask and deny, each an array of rules", fits: isRecord },
  approve: FUNCTION,
  ledger: { expected: '"memory" or the path of a file', fits: isPath },
  stateDir: { expected: "the path of a directory", fits: isPath },
  agentId: ID,
  sessionId: ID,
  commitments: { expected: "false or { enabled: true }", fits: isCommitments },
  use: {
    expected: "an array of functions",
    fits: (value) => Array.isArray(value) && value.every((one) => typeof one === "function"),
  },
  onEvent: FUNCTION,
  saveRule: FUNCTION,
  repeatNotice: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  signal: { expected: "an AbortSignal", fits: (value) => value instanceof AbortSignal },
};

export function checkSessionOptions(options: unknown): CheckedSession {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new OptionsError({
      option: "root",
      expected: "an object with the option root, a directory that exists",
    });
  const mount: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (isOwn(name)) checkOwn(name, value);
    else if (OPTION_NAMES.some((known) => known === name)) mount[name] = value;
    else throw unknownOption(name);
  }
  const given = options as SessionOptions;
  return {
    mode: given.mode ?? "workspace-write",
    rules: given.rules,
    approve: given.approve,
    ledger: given.ledger === undefined || given.ledger === "memory" ? given.ledger : resolve(given.ledger),
    stateDir: given.stateDir === undefined ? undefined : resolve(given.stateDir),
    agentId: given.agentId ?? "main",
    sessionId: given.sessionId,
    hasCommitments: checkCommitments(given),
    use: [...(given.use ?? [])],
    onEvent: given.onEvent,
    saveRule: given.saveRule,
    repeatNotice: given.repeatNotice ?? true,
    signal: given.signal,
    mount,
  };
}

function isCommitments(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === false;
  return Object.entries(value).every(([name, set]) => name === "enabled" && typeof set === "boolean");
}

/** Whoever names the tool and does not have it enabled would otherwise be told that a session is missing. */
function checkCommitments({ commitments, tools }: SessionOptions): boolean {
  const isEnabled = typeof commitments === "object" && commitments.enabled === true;
  if (!isEnabled && Array.isArray(tools) && tools.includes("commitments"))
    throw new OptionsError({
      option: "tools",
      expected: "commitments only beside the option commitments: { enabled: true }",
      got: showValue("commitments"),
    });
  return isEnabled;
}

function isOwn(name: string): name is OwnName {
  return Object.hasOwn(CHECKS, name);
}

function checkOwn(name: OwnName, value: unknown): void {
  const { fits, expected } = CHECKS[name];
  if (value === undefined || fits(value)) return;
  throw new OptionsError({ option: name, expected, got: showValue(value) });
}

function unknownOption(option: string): OptionsError {
  const known = [...OPTION_NAMES, ...SESSION_OPTION_NAMES];
  const near = nearestName(option, known);
  const nearest = near === undefined ? "" : `${near} (the nearest name): `;
  return new OptionsError({ option, expected: `${nearest}one of ${known.join(", ")}` });
}

function isPath(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !value.includes("\0");
}

/** Its keys and its rules are read by permission, which names what is wrong. */
