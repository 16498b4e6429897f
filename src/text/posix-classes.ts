/**
 * Owns the named character classes of POSIX, `[:alpha:]` and the like, in ASCII.
 * Leaves what a dialect adds or takes otherwise to its reader. Rule: ranges ascend, both ends included.
 */
import type { CodeSet } from "./code-set.ts";

export const POSIX_CLASSES: Readonly<Record<string, CodeSet>> = {
  alnum: [48, 57, 65, 90, 97, 122],
  alpha: [65, 90, 97, 122],
  blank: [9, 9, 32, 32],
  cntrl: [0, 31, 127, 127],
  digit: [48, 57],
  graph: [33, 126],
  lower: [97, 122],
  print: [32, 126],
  punct: [33, 47, 58, 64, 91, 96, 123, 126],
  space: [9, 13, 32, 32],
  upper: [65, 90],
  xdigit: [48, 57, 65, 70, 97, 102],
};
