/**
 * Owns explaining a call: what would be decided about it, and what it would change.
 * Leaves deciding to permission/, the diff to the tools. Rule: nothing is run, nobody is asked, and nothing of it is
 * in the ledger.
 */
import type { Call } from "../contract/call.ts";
import { isRefusal, type Refusal } from "../contract/refusal.ts";
import type { Permission, Verdict } from "../permission/permission.ts";
import type { Mounted } from "../toolset/mounted.ts";
import { prepareCall } from "../toolset/prepare.ts";
import { previewCall } from "../toolset/preview-call.ts";
import { renderRefusal } from "../toolset/render-output.ts";

/** What would become of a call. */
export type Explanation =
  | {
      /** `ask`: a person would be asked. */
      readonly outcome: Verdict["outcome"];
      readonly by: Verdict["by"];
      readonly rule?: string;
      /** One sentence. */
      readonly reason: string;
      readonly effects: readonly string[];
      readonly allowed: readonly string[];
      readonly suggestedRule?: string;
      readonly access: ExplainedAccess;
      /** The arguments as they are understood. */
      readonly args: Readonly<Record<string, unknown>>;
      /** What it would change, as a unified diff, where that can be told. */
      readonly diff?: string;
      /** Why it would be refused although it may be run. */
      readonly refusal?: Refusal;
      readonly content?: string;
    }
  /** The gate refuses it: there is nothing to decide. */
  | { readonly outcome: "refused"; readonly refusal: Refusal; readonly content: string };

/** What a call says it will touch, resolved. */
export interface ExplainedAccess {
  /** As they really are, relative to the root. */
  readonly paths: readonly { readonly effect: "reads" | "writes" | "enters"; readonly path: string }[];
  /** Commands, whole. */
  readonly runs: readonly string[];
  /** `host` or `host:port`. */
  readonly connects: readonly string[];
}

export async function explainCall(
  { mounted, permission }: { readonly mounted: Mounted; readonly permission: Permission },
  call: Call,
): Promise<Explanation> {
  const prepared = await prepareCall(mounted, call);
  if (isRefusal(prepared))
    return {
      outcome: "refused",
      refusal: prepared,
      content: renderRefusal({ refusal: prepared, mounted }).content,
    };
  const { outcome, by, rule, reason, effects, allowed, suggestedRule } = await permission.judge(prepared);
  const { access, places, input } = prepared;
  // What may not be read is not shown by way of a diff.
  const preview = outcome === "deny" ? undefined : await previewCall(mounted, prepared);
  return {
    outcome,
    by,
    reason,
    effects,
    allowed,
    ...(rule === undefined ? {} : { rule }),
    ...(suggestedRule === undefined ? {} : { suggestedRule }),
    access: {
      paths: access.paths.map(({ argument, effect, path }) => ({
        effect,
        path: places.get(argument)?.shown ?? path,
      })),
      runs: access.runs,
      connects: access.connects,
    },
    args: input,
    ...(typeof preview === "string" ? { diff: preview } : {}),
    ...(isRefusal(preview)
      ? {
          refusal: preview,
          content: renderRefusal({ refusal: preview, mounted, tool: prepared.tool }).content,
        }
      : {}),
  };
}
