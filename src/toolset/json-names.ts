/**
 * Owns telling whether an object in a JSON text names something twice, which `JSON.parse` passes over in silence.
 * Leaves what follows to json-repair.ts. Rule: one pass over a text of megabytes, and no recursion, however deep.
 */

/** Whether the text has more names than the value that `JSON.parse` made of it. */
export function repeatsNames(text: string, value: unknown): boolean {
  return typeof value === "object" && value !== null && countColons(text) > countMembers(value);
}

/** Each name is followed by one colon; those inside strings are passed over. */
function countColons(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3a) count += 1;
    else if (code === 0x22) at = endOfString(text, at);
  }
  return count;
}

/** The closing quote of the string that opens at `start`: the first with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}

function countMembers(value: object): number {
  let count = 0;
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const members: unknown[] = Object.values(next);
    if (!Array.isArray(next)) count += members.length;
    for (const member of members) if (typeof member === "object" && member !== null) pending.push(member);
  }
  return count;
}
