/** Owns long options that are written short, as programs take them: `--to-com` is `--to-command`. */

/** Whether a word is one of these long options (parted by blanks), whole or shortened, with or without a value. */
export function isShortenedOf(word: string, names: string): boolean {
  const option = /^--([a-z][\w-]*)/.exec(word)?.[1];
  return option !== undefined && names.split(" ").some((name) => name.startsWith(option));
}
