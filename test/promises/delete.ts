/** Owns the calls by which `delete` is held to its promises. Leaves the promises to promises.test.ts. Rule: one of each kind of answer. */
import type { Registration } from "./registration.ts";

export const deletePromises: Registration = {
  tool: "delete",
  calls: [
    { about: "a file", args: { path: "hello.txt" }, gives: "success" },
    { about: "a link alone", args: { path: "link-to-src" }, gives: "success" },
    { about: "a link to the outside alone", args: { path: "link-out" }, gives: "success" },
    { about: "a dangling link", args: { path: "dangling" }, gives: "success" },
    { about: "a directory with all in it", args: { path: "src", recursive: true }, gives: "success" },
    { about: "a FIFO", args: { path: "pipe" }, gives: "success" },
    { about: "a directory without a word", args: { path: "src" }, gives: "refusal" },
    { about: "a missing file", args: { path: "helo.txt" }, gives: "refusal" },
    { about: "the root", args: { path: ".", recursive: true }, gives: "refusal" },
    { about: "a tree that holds a .git", args: { path: "nested", recursive: true }, gives: "refusal" },
    { about: "a .git directory", args: { path: ".git", recursive: true }, gives: "refusal" },
    { about: "a path outside", args: { path: "../outside.txt" }, gives: "refusal" },
    {
      about: "an argument that it does not know",
      args: { path: "hello.txt", dry_run: true },
      gives: "refusal",
    },
    {
      about: "two names that disagree",
      args: { file: "hello.txt", filename: "twice.txt" },
      gives: "refusal",
    },
  ],
  values: [
    "hello.txt",
    "src",
    "crowd",
    ".",
    "nested",
    "..",
    "../outside.txt",
    "link-out",
    "pipe",
    "nothing",
    true,
    "true",
    false,
    null,
    "",
  ],
};
