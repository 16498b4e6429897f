/**
 * Owns opening a session: options, ledger, permission, tools, and letting go of all of them.
 * Leaves the way of a call to compose.ts, having the ledger to own-ledger.ts. Rule: wrong options and a ledger that cannot be had throw here, with the
 * way out; after that no call throws. What was opened before something failed is closed again.
 */
import { join } from "node:path";
import type { Commitments } from "../commitment/commitments.ts";
import type { Call, CallOptions } from "../contract/call.ts";
import type { PastResults } from "../contract/results.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { LedgerSession } from "../ledger/ledger-session.ts";
import { openPermission, type Permission } from "../permission/permission.ts";
import type { PathRules } from "../root/fenced-paths.ts";
import { openRoot } from "../root/open-root.ts";
import { isDefined } from "../toolset/define-tool.ts";
import type { CatalogTool } from "../toolset/mount.ts";
import { mountTools } from "../toolset/mount-tools.ts";
import type { Mounted } from "../toolset/mounted.ts";
import { onAbort } from "../toolset/on-abort.ts";
import { previewCall } from "../toolset/preview-call.ts";
import type { OwnToolsOf, PrefixOf, Toolset } from "../toolset/toolset.ts";
import { openCallIds } from "./call-ids.ts";
import { openCallRecords } from "./call-records.ts";
import { composeSession } from "./compose.ts";
import { explainCall } from "./explain-call.ts";
import { readOnlyCommitments } from "./give-commitments.ts";
import { type CommitmentsOf, type Held, listTools, openOwn } from "./own-commitments.ts";
import { closeOwnLedger, type OwnLedger, openOwnLedger } from "./own-ledger.ts";
import { permitCommands, permitConnections } from "./permit-connections.ts";
import { openCarrier } from "./plan-carry.ts";
import { type FindRecalled, hideHeads, openRecalled } from "./recalled-paths.ts";
import { finishResult } from "./receive-call.ts";
import { keepOldBytes } from "./run-inside.ts";
import type { CallResult, Session } from "./session.ts";
import { openEvents } from "./session-events.ts";
import { type CheckedSession, checkSessionOptions, type SessionOptions } from "./session-options.ts";
import { openTurns } from "./turns.ts";

/** In a session results are windowed at 30,000 characters: read, list, glob and grep stay below, so that they never are. */
export const SESSION_LIMITS = { readMax: 24_576, resultMax: 30_000 };
const PRESET = { prefix: "", limits: SESSION_LIMITS, onTimeout: "background", inSession: true } as const;

/**
 * Opens a session over one directory: all tools, permission before each call, every call in the ledger. Rejects with
 * an `OptionsError` for wrong options, and with a `LedgerError` where the ledger cannot be had.
 */
export async function openSession<const Options extends SessionOptions<CatalogTool["name"]>>(
  options: Options,
): Promise<SessionOf<Options>> {
  return openSessionFor({}, options);
}

/** The session that options open: its tools, its prefix, and whether it has commitments. */
export type SessionOf<Options> = Session<
  CatalogTool | OwnToolsOf<Options>,
  PrefixOf<Options, "">,
  CommitmentsOf<Options>
>;

/** What a surface adds to a session, and a host does not. */
export interface Surface {
  /** How a person gives an allow rule here: `--allow 'runs(npm test)'`. */
  readonly flag?: (rule: string) => string;
  /** Ask rules of a project, which open nothing that the mode denies. */
  readonly narrowingAsks?: readonly string[];
}

/** As `openSession`. */
export async function openSessionFor<const Options extends SessionOptions<CatalogTool["name"]>>(
  surface: Surface,
  options: Options,
): Promise<SessionOf<Options>> {
  const checked = checkSessionOptions(options);
  checked.signal?.throwIfAborted();
  const own = await openOwnLedger(checked);
  try {
    const session = assemble<PrefixOf<Options, "">>({ checked, own }, surface);
    return session as unknown as SessionOf<Options>;
  } catch (error) {
    own.ledger.close();
    throw error;
  }
}

function assemble<Prefix extends string>(
  { checked, own }: { readonly checked: CheckedSession; readonly own: OwnLedger },
  surface: Surface,
): Session<CatalogTool, Prefix> {
  const { mode, agentId, mount } = checked;
  const { ledger, entries, recorder } = own;
  const root = openRoot({ root: typeof mount.root === "string" ? mount.root : "", agentId });
  const records = openCallRecords();
  const ids = openCallIds(entries.callIds());
  const tell = openEvents(checked.onEvent);
  const held: Held = {};
  const commitments = checked.hasCommitments
    ? openOwn({ checked, ledger, sessionId: entries.id, held })
    : undefined;
  const tools = listTools(checked);
  const toolset: Toolset<CatalogTool, Prefix> = mountTools(
    {
      catalog: tools,
      preset: { ...PRESET, tools: tools.map(({ name }) => name) },
    },
    mount,
    {
      agentId,
      sessionId: entries.id,
      stateDir: checked.stateDir,
      ledgers: checked.ledger === "memory" ? [] : [ledger.place],
      pathRules: givePathRules(held),
      commandsConnect: permitCommands(() => held.permission),
      onJobEnded: (job) => tell({ type: "job-ended", job }),
      withheld: () => held.permission?.withheld(),
      ports: {
        results: giveResults({ entries, held, root: root.path }),
        ...(commitments === undefined ? {} : { commitments: readOnlyCommitments(commitments) }),
        withholds: (file) => held.permission?.withholds(file),
        connects: permitConnections({ records, permission: () => held.permission }),
        keepOldBytes: keepOldBytes({ root: root.path, records, ledger: entries }),
      },
      stations: (mounted, gate) => {
        const recalled = openRecalled({ past: entries.past, bare: mounted.names.bare });
        const permission = givePermission({ ...checked, ...surface }, { mounted, recalled });
        Object.assign(held, { mounted, permission });
        mounted.seen.commit(entries.sights());
        const carrier = openCarrier(mounted, { repeatNotice: checked.repeatNotice });
        return composeSession({
          mounted,
          gate,
          reception: { ids, records, turns: openTurns(), tell, mode },
          recording: { mounted, records, recorder, carrier, recalled, isInPlace: ledger.isInPlace },
          permission,
          use: checked.use,
        });
      },
      onClose: () => closeOwnLedger(own),
    },
  );
  const session = makeSession({ checked, toolset, ledger, entries, ids, held, commitments });
  held.session = session;
  return session;
}

function giveResults(of: {
  readonly entries: LedgerSession;
  readonly held: Held;
  readonly root: string;
}): PastResults {
  const { entries, held, root } = of;
  if (!entries.isResumed) return entries.results;
  return hideHeads(entries.results, {
    past: entries.past,
    bare: (name) => held.mounted?.names.bare(name),
    withholds: (path) => held.permission?.withholds(join(root, path)),
  });
}

/** Asked when a command starts, and the permission is there by then. */
function givePathRules(held: Held): PathRules {
  return {
    hides: (path) => held.permission?.commandRules.hides(path),
    locks: (path) => held.permission?.commandRules.locks(path),
    follow: async () => (await held.permission?.commandRules.follow()) ?? [],
  };
}

function givePermission(
  { mode, rules, approve, saveRule, flag, narrowingAsks }: CheckedSession & Surface,
  { mounted, recalled }: { readonly mounted: Mounted; readonly recalled: FindRecalled },
): Permission {
  return openPermission({
    mode,
    rules,
    narrowingAsks,
    root: mounted.root,
    tools: [...mounted.tools.values()].filter(isDefined).map(({ name }) => name),
    approve,
    saveRule,
    flag,
    // What this session has shown it may show again: it was judged by the same rules.
    recalled(prepared) {
      const call = recalled(prepared);
      return call?.isEarlier === true ? call : undefined;
    },
    preview: async (prepared) => {
      const preview = await previewCall(mounted, prepared);
      return typeof preview === "string" ? preview : undefined;
    },
  });
}

interface Parts<Prefix extends string> {
  readonly checked: CheckedSession;
  readonly toolset: Toolset<CatalogTool, Prefix>;
  readonly ledger: Ledger;
  readonly entries: LedgerSession;
  readonly ids: ReturnType<typeof openCallIds>;
  readonly held: Held;
  readonly commitments: Commitments | undefined;
}

function makeSession<Prefix extends string>(parts: Parts<Prefix>): Session<CatalogTool, Prefix> {
  const { checked, toolset, ledger, entries, ids, held, commitments } = parts;
  const { mode, signal } = checked;
  async function call(name: string, args: unknown, options?: CallOptions): Promise<CallResult> {
    const output = await toolset.call(name, args, options);
    // A call that came after closing has not been received.
    return "id" in output
      ? (output as CallResult)
      : finishResult(output, { id: ids.give(options?.id), mode });
  }
  let stopListening = () => {};
  const close = () => {
    stopListening();
    return toolset.close();
  };
  if (signal !== undefined) stopListening = onAbort(signal, () => void close().catch(() => {}));
  const session = {
    ...toolset,
    id: entries.id,
    agentId: checked.agentId,
    call,
    async batch(calls: readonly Call[], options?: Omit<CallOptions, "id">) {
      if (!Array.isArray(calls)) throw new TypeError("batch takes an array of calls");
      // What is no call is answered in its place: its neighbours are made all the same.
      return Promise.all(calls.map((one) => call(one?.name, one?.args, { ...options, id: one?.id })));
    },
    explain(asked: Call) {
      const { mounted, permission } = held;
      if (mounted === undefined || permission === undefined) throw new Error("the session was not mounted");
      return explainCall({ mounted, permission }, asked);
    },
    ledger: readOnly(ledger),
    commitments,
    close,
    [Symbol.asyncDispose]: close,
  };
  return Object.freeze(session) as unknown as Session<CatalogTool, Prefix>;
}

/** What a host gets of the ledger through a session cannot write in it. */
function readOnly(ledger: Ledger): Session["ledger"] {
  const { place, sessions, calls, find, result, bytes, search, exportLines } = ledger;
  return Object.freeze({ place, sessions, calls, find, result, bytes, search, exportLines });
}
