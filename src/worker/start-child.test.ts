/**
 * Owns the tests of what is said of a worker's end. Rule: a model reads it; no stack and no path is in it.
 */
import { describe, expect, it } from "vitest";
import { describeDeath } from "./start-child.ts";

describe("the end of a worker", () => {
  it.each([
    ["was ended by SIGKILL", "was ended by SIGKILL"],
    ["ended with status 1: file:///x/y.js:3\n  throw new Error()\n\nError: no", "ended with status 1"],
    [
      "ended with status 1: node:internal\nError: Cannot find module '/x/main.js'\n  at Module",
      "could not be started: a file of the package is missing",
    ],
    [
      "was ended by SIGABRT: FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
      "was ended by SIGABRT (out of memory)",
    ],
    ["could not be started: spawn EAGAIN", "could not be started: spawn EAGAIN"],
  ])("%j is told in one phrase", (told, phrase) => {
    expect(describeDeath(told)).toBe(phrase);
  });
});
