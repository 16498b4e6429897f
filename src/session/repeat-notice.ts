/**
 * Owns noticing that the same call gives the same result again and again.
 * Leaves saying so to plan-carry.ts. Rule: the tool did run each time; only what the request carries is shorter. A
 * model in a loop fills its window with one text; from the fifth time on it is told where it has that text.
 */

/** Four times may be a look before and after each of two steps; a fifth tells nothing that the fourth did not. */
const FROM = 5;
/** Below this the notice is hardly shorter than the result. */
const LEAST_CHARACTERS = 500;

export interface Repeated {
  /** How many times in a row, this one included. */
  readonly times: number;
  /** The latest call whose result was carried. */
  readonly id: string;
}

export interface RepeatWatch {
  /** Tells of a call that has ended, in the order in which results leave. Undefined where its own text is carried. */
  note(call: {
    readonly id: string;
    readonly tool: string;
    /** Name, arguments as normalised, content and kind of result. */
    readonly key: readonly string[];
    readonly characters: number;
  }): Repeated | undefined;
}

/** Asking again is what these are for. */
const POLLING: ReadonlySet<string> = new Set(["jobs"]);

export function watchRepeats(isWanted: boolean): RepeatWatch {
  let last: { key: readonly string[]; times: number; id: string } | undefined;
  return {
    note({ id, tool, key, characters }) {
      if (last === undefined || !isSame(last.key, key)) {
        last = { key, times: 1, id };
        return undefined;
      }
      last.times += 1;
      const isTold = isWanted && last.times >= FROM && characters >= LEAST_CHARACTERS && !POLLING.has(tool);
      if (isTold) return { times: last.times, id: last.id };
      last.id = id;
      return undefined;
    },
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}
