/**
 * Owns the table of when a commitment may be closed as fulfilled: strengths and results, written out.
 * Leaves judging to src/commitment/closure.ts. Rule: a row is read by a person: what is asked for, the criteria, and
 * what keeps it open, as `criterion: why`, or nothing.
 */
import type { CriterionKind, Strength } from "../../src/contract/commitment.ts";

/** `passed but …`: the pass is there, and what it rested on has changed. */
export type State = "passed" | "passed, changed" | "failed" | "unknown" | "outdated" | "never";
export type Proof = readonly [id: string, kind: CriterionKind, state: State, optional?: "optional"];
export type Row = readonly [asked: Strength, proofs: readonly Proof[], lacks: readonly string[]];

/** One criterion of each kind, passed: enough for what it is worth, and for less. */
const ALONE: readonly Row[] = [
  ["asserted", [["a", "statement", "passed"]], []],
  ["cited", [["a", "statement", "passed"]], ["a: too-weak"]],
  ["observed", [["a", "statement", "passed"]], ["a: too-weak"]],
  ["attested", [["a", "statement", "passed"]], ["a: too-weak"]],
  ["asserted", [["a", "tool-call", "passed"]], []],
  ["cited", [["a", "tool-call", "passed"]], []],
  ["observed", [["a", "tool-call", "passed"]], ["a: too-weak"]],
  ["attested", [["a", "tool-call", "passed"]], ["a: too-weak"]],
  ["asserted", [["a", "file-exists", "passed"]], []],
  ["cited", [["a", "file-exists", "passed"]], []],
  ["observed", [["a", "file-exists", "passed"]], []],
  ["attested", [["a", "file-exists", "passed"]], ["a: too-weak"]],
  ["asserted", [["a", "file-contains", "passed"]], []],
  ["cited", [["a", "file-contains", "passed"]], []],
  ["observed", [["a", "file-contains", "passed"]], []],
  ["attested", [["a", "file-contains", "passed"]], ["a: too-weak"]],
  ["asserted", [["a", "shell", "passed"]], []],
  ["cited", [["a", "shell", "passed"]], []],
  ["observed", [["a", "shell", "passed"]], []],
  ["attested", [["a", "shell", "passed"]], ["a: too-weak"]],
  ["asserted", [["a", "receipt", "passed"]], []],
  ["cited", [["a", "receipt", "passed"]], []],
  ["observed", [["a", "receipt", "passed"]], []],
  ["attested", [["a", "receipt", "passed"]], []],
  ["asserted", [["a", "attestation", "passed"]], []],
  ["cited", [["a", "attestation", "passed"]], []],
  ["observed", [["a", "attestation", "passed"]], []],
  ["attested", [["a", "attestation", "passed"]], []],
];

/** Only a pass earns anything, and only while it holds. */
const NOT_PASSED: readonly Row[] = [
  ["asserted", [["a", "statement", "never"]], ["a: unchecked"]],
  ["asserted", [["a", "statement", "failed"]], ["a: failed"]],
  ["asserted", [["a", "statement", "unknown"]], ["a: unknown"]],
  ["asserted", [["a", "statement", "outdated"]], ["a: outdated"]],
  ["asserted", [["a", "statement", "passed, changed"]], ["a: outdated"]],
  ["cited", [["a", "tool-call", "never"]], ["a: unchecked"]],
  ["cited", [["a", "tool-call", "failed"]], ["a: failed"]],
  ["cited", [["a", "tool-call", "unknown"]], ["a: unknown"]],
  ["cited", [["a", "tool-call", "passed, changed"]], ["a: outdated"]],
  ["observed", [["a", "file-exists", "never"]], ["a: unchecked"]],
  ["observed", [["a", "file-exists", "failed"]], ["a: failed"]],
  ["observed", [["a", "file-exists", "unknown"]], ["a: unknown"]],
  ["observed", [["a", "file-exists", "outdated"]], ["a: outdated"]],
  ["observed", [["a", "file-exists", "passed, changed"]], ["a: outdated"]],
  ["observed", [["a", "file-contains", "failed"]], ["a: failed"]],
  ["observed", [["a", "file-contains", "passed, changed"]], ["a: outdated"]],
  ["observed", [["a", "shell", "never"]], ["a: unchecked"]],
  ["observed", [["a", "shell", "failed"]], ["a: failed"]],
  ["observed", [["a", "shell", "unknown"]], ["a: unknown"]],
  ["observed", [["a", "shell", "outdated"]], ["a: outdated"]],
  ["observed", [["a", "shell", "passed, changed"]], ["a: outdated"]],
  ["attested", [["a", "receipt", "never"]], ["a: unchecked"]],
  ["attested", [["a", "receipt", "unknown"]], ["a: unknown"]],
  ["attested", [["a", "attestation", "failed"]], ["a: failed"]],
  ["attested", [["a", "attestation", "passed, changed"]], ["a: outdated"]],
  // What is missing is told before how weak it would be.
  ["attested", [["a", "statement", "never"]], ["a: unchecked"]],
  ["attested", [["a", "statement", "failed"]], ["a: failed"]],
  ["attested", [["a", "statement", "passed, changed"]], ["a: outdated"]],
];

/** The weakest decides, and every required one has to pass. */
const SEVERAL: readonly Row[] = [
  [
    "asserted",
    [
      ["a", "statement", "passed"],
      ["b", "shell", "passed"],
    ],
    [],
  ],
  [
    "cited",
    [
      ["a", "statement", "passed"],
      ["b", "shell", "passed"],
    ],
    ["a: too-weak"],
  ],
  [
    "observed",
    [
      ["a", "tool-call", "passed"],
      ["b", "shell", "passed"],
    ],
    ["a: too-weak"],
  ],
  [
    "observed",
    [
      ["a", "attestation", "passed"],
      ["b", "shell", "passed"],
    ],
    [],
  ],
  [
    "attested",
    [
      ["a", "attestation", "passed"],
      ["b", "shell", "passed"],
    ],
    ["b: too-weak"],
  ],
  [
    "attested",
    [
      ["a", "attestation", "passed"],
      ["b", "receipt", "passed"],
    ],
    [],
  ],
  [
    "observed",
    [
      ["a", "statement", "passed"],
      ["b", "tool-call", "passed"],
    ],
    ["a: too-weak", "b: too-weak"],
  ],
  [
    "observed",
    [
      ["a", "shell", "passed"],
      ["b", "shell", "never"],
    ],
    ["b: unchecked"],
  ],
  [
    "observed",
    [
      ["a", "shell", "never"],
      ["b", "shell", "never"],
    ],
    ["a: unchecked", "b: unchecked"],
  ],
  [
    "observed",
    [
      ["a", "shell", "failed"],
      ["b", "shell", "unknown"],
    ],
    ["a: failed", "b: unknown"],
  ],
  [
    "observed",
    [
      ["a", "shell", "passed"],
      ["b", "file-exists", "passed, changed"],
    ],
    ["b: outdated"],
  ],
  [
    "observed",
    [
      ["a", "statement", "passed"],
      ["b", "shell", "failed"],
    ],
    ["a: too-weak", "b: failed"],
  ],
  [
    "asserted",
    [
      ["a", "statement", "passed"],
      ["b", "receipt", "outdated"],
    ],
    ["b: outdated"],
  ],
  [
    "observed",
    [
      ["a", "shell", "passed"],
      ["b", "file-exists", "passed"],
      ["c", "receipt", "passed"],
    ],
    [],
  ],
  [
    "observed",
    [
      ["a", "shell", "passed"],
      ["b", "file-exists", "passed"],
      ["c", "statement", "passed"],
    ],
    ["c: too-weak"],
  ],
];

/** What is optional neither helps nor harms; without anything required nothing is proven. */
const OPTIONAL: readonly Row[] = [
  [
    "observed",
    [
      ["a", "shell", "passed"],
      ["b", "statement", "never", "optional"],
    ],
    [],
  ],
  [
    "observed",
    [
      ["a", "shell", "passed"],
      ["b", "statement", "passed", "optional"],
    ],
    [],
  ],
  [
    "observed",
    [
      ["a", "shell", "passed"],
      ["b", "shell", "failed", "optional"],
    ],
    [],
  ],
  [
    "observed",
    [
      ["a", "shell", "passed"],
      ["b", "shell", "unknown", "optional"],
    ],
    [],
  ],
  [
    "observed",
    [
      ["a", "shell", "passed"],
      ["b", "shell", "passed, changed", "optional"],
    ],
    [],
  ],
  [
    "attested",
    [
      ["a", "receipt", "passed"],
      ["b", "statement", "passed", "optional"],
    ],
    [],
  ],
  [
    "observed",
    [
      ["a", "shell", "failed"],
      ["b", "shell", "passed", "optional"],
    ],
    ["a: failed"],
  ],
  [
    "observed",
    [
      ["a", "statement", "passed"],
      ["b", "attestation", "passed", "optional"],
    ],
    ["a: too-weak"],
  ],
  [
    "asserted",
    [
      ["a", "statement", "never"],
      ["b", "statement", "passed", "optional"],
    ],
    ["a: unchecked"],
  ],
  ["asserted", [], ["none-required"]],
  ["attested", [], ["none-required"]],
  ["asserted", [["a", "statement", "passed", "optional"]], ["none-required"]],
  [
    "observed",
    [
      ["a", "shell", "passed", "optional"],
      ["b", "shell", "passed", "optional"],
    ],
    ["none-required"],
  ],
  ["attested", [["a", "attestation", "passed", "optional"]], ["none-required"]],
];

export const CLOSURE_ROWS: readonly Row[] = [...ALONE, ...NOT_PASSED, ...SEVERAL, ...OPTIONAL];
