/** Owns the calls by which `glob` is held to its promises. Leaves the promises to promises.test.ts. Rule: one of each kind of answer. */
import type { Registration } from "./registration.ts";

export const globPromises: Registration = {
  tool: "glob",
  calls: [
    { about: "one kind of file", args: { pattern: "**/*.ts" }, gives: "success" },
    { about: "everything", args: { pattern: "**" }, gives: "success" },
    {
      about: "everything under a small limit",
      args: { pattern: "**" },
      gives: "success",
      options: { limits: { globMax: 5 } },
    },
    { about: "directories", args: { pattern: "**/" }, gives: "success" },
    { about: "a path with pattern characters", args: { pattern: "src/[id]/*" }, gives: "success" },
    { about: "a folder that is left out of walks", args: { pattern: "node_modules/**" }, gives: "success" },
    { about: "braces below a path", args: { pattern: "{needle.ts,deep/**}", path: "src" }, gives: "success" },
    { about: "nothing", args: { pattern: "*.nothing" }, gives: "success" },
    { about: "an alias", args: { query: "*.txt", dir: "" }, gives: "success" },
    { about: "a negation", args: { pattern: "!(a)" }, gives: "refusal" },
    { about: "a missing path", args: { pattern: "*", path: "scr" }, gives: "refusal" },
    { about: "a path outside", args: { pattern: "*", path: "../" }, gives: "refusal" },
    { about: "no pattern", args: {}, gives: "refusal" },
  ],
  values: [
    "**",
    "*",
    "*.ts",
    "{a,b}",
    "[",
    "!(x)",
    "+(a|b)",
    "../*",
    "/",
    "src",
    ".",
    "hello.txt",
    null,
    "",
    5,
  ],
};
