/**
 * Owns the marker that every command carries in its environment: `HAFT_MARK`.
 * Leaves looking for it to tree.ts. Rule: one word for each worker above, outermost first, so that a haft inside a
 * command of another is found by both.
 */
import { MARK } from "./process-table.ts";

/** `marker` names the worker, `count` its command. */
export function makeMark(marker: string, count: number | string): string {
  const outer = process.env[MARK];
  const own = `${marker}.${count}`;
  return outer === undefined || outer === "" ? own : `${outer}:${own}`;
}

export function carriesCommand(mark: string, command: string): boolean {
  const own = command.slice(command.lastIndexOf(":") + 1);
  return mark.split(":").includes(own);
}

export function carriesWorker(mark: string, marker: string): boolean {
  return mark.split(":").some((word) => word.startsWith(`${marker}.`));
}

/** What the worker itself carries: the marker of a command in which its host runs. */
export function outerMark(host: NodeJS.ProcessEnv): Record<string, string> {
  const outer = host[MARK];
  return outer === undefined ? {} : { [MARK]: outer };
}
