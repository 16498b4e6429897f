/**
 * Owns which files of a walk a search opens: regular ones, of those the include filter's.
 * Leaves globs to text/glob-pattern.ts. Rule: a filter narrows; it never brings back what is ignored.
 * A filter with a `/` is understood relative to the searched folder and relative to the root: models mean either.
 */
import type { Steering } from "../../root/walk-counts.ts";
import { steerFilter } from "../../text/glob-pattern.ts";
import type { State } from "../../text/lazy-dfa.ts";
import { binaryOfText } from "../../text/path-text.ts";
import type { SearchJob } from "./engine.ts";

interface Both {
  readonly here: State | undefined;
  readonly root: State | undefined;
}

const NONE: ReadonlySet<string> = new Set();
const ANY: Both = { here: undefined, root: undefined };

export function steerSearch(job: SearchJob): Steering<Both> {
  const { include, place } = job;
  if (include === undefined) {
    return { start: ANY, enter: () => ANY, takes: (_state, { kind }) => kind === "file", named: NONE };
  }
  const filter = steerFilter(include.glob);
  const enter = (state: Both, name: string): Both => ({
    here: state.here === undefined ? undefined : filter.enter(state.here, name),
    root: state.root === undefined ? undefined : filter.enter(state.root, name),
  });
  const atRoot = { here: undefined, root: filter.start };
  const names = place.shown === "." || !place.contained ? [] : binaryOfText(place.shown).split("/");
  const { root } = names.reduce<Both>(enter, atRoot);
  const matches = (state: Both, name: string) =>
    [state.here, state.root].some((one) => one !== undefined && filter.takesFile(one, name));
  return {
    start: { here: filter.start, root: names.length === 0 || !place.contained ? undefined : root },
    enter: (state, name) => {
      const next = enter(state, name);
      return next.here === undefined && next.root === undefined && !include.excludes ? undefined : next;
    },
    takes: (state, { name, kind }) => kind === "file" && matches(state, name) !== include.excludes,
    named: NONE,
  };
}
