/**
 * Owns the characters that models type in place of others and people cannot tell apart.
 * Leaves what is done about them to its users: the ladder of edits compares by them, the closest region shows them.
 * Rule: one table; a character is here because the two were mixed up in practice.
 */

/** Kinds of space, of single and double quote, and of dash, by the plain character they are taken for. */
export const LOOK_ALIKE_CHARACTERS: ReadonlyMap<string, string> = new Map(
  (
    [
      [
        " ",
        "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
      ],
      ["'", "\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\uff07"],
      ['"', "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"],
      ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"],
    ] as const
  ).flatMap(([plain, others]) => [...others].map((other) => [other, plain] as const)),
);
