/**
 * Owns asking the session's permission before each connection of a call: the first, a redirect, a request of a page.
 * Leaves deciding to permission/, connecting to net/. Rule: it holds for the call in which it was asked for, by what
 * was decided of that call; without a call and a decision, nothing is connected to.
 */
import type { Ports } from "../contract/context.ts";
import type { MayConnect } from "../contract/network.ts";
import type { Permission } from "../permission/permission.ts";
import type { CallRecords } from "./call-records.ts";

export function permitConnections(of: {
  readonly records: CallRecords;
  readonly permission: () => Permission | undefined;
}): NonNullable<Ports["connects"]> {
  return () => {
    // Now: a connection may be made in a context that is none of the call's.
    const record = of.records.current();
    return (host, port) => {
      const permission = of.permission();
      if (record?.prepared === undefined || record.decision === undefined || permission === undefined)
        return { allowed: false };
      const tool = record.prepared.tool.name;
      const rule = permission.mayConnect({ tool, host, port, decision: record.decision });
      return rule === undefined ? { allowed: true } : { allowed: false, rule };
    };
  };
}

/**
 * The same for commands that have no network but by way of the screen. Which of them asks cannot be told, and jobs go on
 * after their call: what denies and what asks holds for all of them, and a call that was allowed by a rule is not told apart.
 */
export function permitCommands(permission: () => Permission | undefined): MayConnect {
  return (host, port) => {
    const rules = permission();
    if (rules === undefined) return { allowed: false };
    const rule = rules.mayConnect({ tool: "bash", host, port, decision: { by: "mode" } });
    return rule === undefined ? { allowed: true } : { allowed: false, rule };
  };
}
