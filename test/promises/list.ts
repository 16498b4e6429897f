/** Owns the calls by which `list` is held to its promises. Leaves the promises to promises.test.ts. Rule: one of each kind of answer. */
import type { Registration } from "./registration.ts";

export const listPromises: Registration = {
  tool: "list",
  calls: [
    { about: "the root", args: {}, gives: "success" },
    { about: "the root as nothing at all", args: "", gives: "success" },
    { about: "two levels", args: { path: "src", depth: 2 }, gives: "success" },
    { about: "a glob", args: { path: "src", depth: 5, glob: "*.ts" }, gives: "success" },
    {
      about: "more than fits",
      args: { path: "crowd" },
      gives: "success",
      options: { limits: { listMax: 20 } },
    },
    {
      about: "more than a small limit",
      args: { path: ".", depth: 3 },
      gives: "success",
      options: { limits: { listMax: 3 } },
    },
    { about: "an empty directory", args: { path: "hollow" }, gives: "success" },
    { about: "a link to a directory", args: { path: "link-to-src" }, gives: "success" },
    { about: "a folder that is left out of walks", args: { path: "node_modules" }, gives: "success" },
    { about: "a missing directory", args: { path: "scr" }, gives: "refusal" },
    { about: "a path outside", args: { path: ".." }, gives: "refusal" },
    { about: "a depth of 0", args: { depth: 0 }, gives: "refusal" },
  ],
  values: ["src", ".", "crowd", "hello.txt", "..", "*.ts", "**", "[", "{a,", 1, 3, "2", 0, null, ""],
};
