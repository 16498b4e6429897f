/**
 * Owns what a host is told while a session works, and telling it. Leaves when to the stations.
 * Rule: a host that throws, or rejects, loses the event and nothing else.
 */
import type { JobSummary } from "../contract/shell.ts";
import type { CallResult } from "./session.ts";

/** What a host is told while a session works. `durationMs` is in milliseconds. */
export type SessionEvent =
  /** A call has arrived, with its arguments as they were sent; it may yet be refused. */
  | { readonly type: "call-started"; readonly id: string; readonly name: string; readonly args: unknown }
  | { readonly type: "call-progress"; readonly id: string; readonly name: string; readonly text: string }
  /** A person is about to be asked. */
  | {
      readonly type: "call-asked";
      readonly id: string;
      readonly name: string;
      /** One sentence. */
      readonly reason: string;
      readonly effects: readonly string[];
      readonly rule?: string;
      readonly suggestedRule?: string;
    }
  | {
      readonly type: "call-ended";
      readonly id: string;
      readonly name: string;
      readonly result: CallResult;
      readonly durationMs: number;
    }
  /** Something that ran on in the background is over. */
  | { readonly type: "job-ended"; readonly job: JobSummary };

/** Told every event, in order. It is not waited for; what it throws is ignored. */
export type OnEvent = (event: SessionEvent) => void | Promise<void>;
export type Tell = (event: SessionEvent) => void;

export function openEvents(onEvent: OnEvent | undefined): Tell {
  if (onEvent === undefined) return () => {};
  return (event) => {
    try {
      Promise.resolve(onEvent(event)).catch(() => {});
    } catch {
      // As the rule says.
    }
  };
}
