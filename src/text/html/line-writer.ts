/**
 * Owns putting blocks of text below each other: blank lines between them, the marks of lists and quotes before their
 * lines, and the end of the room there is. Leaves what a block says to the renderers. No I/O.
 * Rule: each line is written once, so that depth costs nothing; and no more is written than there is room for.
 */

export interface LineWriter {
  /** Lines of one block. Empty ones write nothing. */
  block(text: string): void;
  /** What `act` writes stands behind `first` in its first line and `rest` in all others. */
  within(
    level: { readonly first: string; readonly rest: string; readonly isTight: boolean },
    act: () => void,
  ): void;
  isFull(): boolean;
  text(): string;
}

interface Level {
  readonly first: string;
  readonly rest: string;
  /** No blank lines between its blocks. */
  readonly isTight: boolean;
  isUsed: boolean;
}

/** Marks deeper than this say nothing any more, and would be most of the text. */
const MOST_LEVELS = 16;

export function openLineWriter(maxChars: number): LineWriter {
  const lines: string[] = [];
  const levels: Level[] = [{ first: "", rest: "", isTight: false, isUsed: false }];
  let room = maxChars;
  const put = (line: string): void => {
    if (room <= 0) return;
    const fitting = line.length < room ? line : cutBefore(line, room);
    room -= line.length + 1;
    lines.push(fitting);
  };
  return {
    block(text) {
      if (text === "" || room <= 0) return;
      const last = levels.findLast((level) => level.isUsed);
      if (last?.isTight === false) put(joinRest(levels).trimEnd());
      for (const line of text.split("\n")) {
        put(line === "" ? joinRest(levels).trimEnd() : takePrefix(levels) + line);
        if (room <= 0) return;
      }
    },
    within({ first, rest, isTight }, act) {
      const isShown = levels.length <= MOST_LEVELS;
      levels.push({ first: isShown ? first : "", rest: isShown ? rest : "", isTight, isUsed: false });
      act();
      levels.pop();
    },
    isFull: () => room <= 0,
    text: () => lines.join("\n"),
  };
}

/** Not between the halves of a character. */
function cutBefore(line: string, length: number): string {
  const isSplit = (line.charCodeAt(length - 1) & 0xfc00) === 0xd800;
  return line.slice(0, Math.max(0, isSplit ? length - 1 : length));
}

function joinRest(levels: readonly Level[]): string {
  return levels.map((level) => (level.isUsed ? level.rest : "")).join("");
}

function takePrefix(levels: readonly Level[]): string {
  return levels
    .map((level) => {
      if (level.isUsed) return level.rest;
      level.isUsed = true;
      return level.first;
    })
    .join("");
}
