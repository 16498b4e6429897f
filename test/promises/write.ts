/** Owns the calls by which `write` is held to its promises. Leaves the promises to promises.test.ts. Rule: one of each kind of answer. */
import type { Registration } from "./registration.ts";

const read = (path: string) => [{ name: "read", args: { path } }];

export const writePromises: Registration = {
  tool: "write",
  calls: [
    { about: "a new file", args: { path: "new.txt", content: "a\nb\n" }, gives: "success" },
    { about: "a new file in new directories", args: { path: "a/b/c.txt", content: "😀" }, gives: "success" },
    { about: "an empty file", args: { path: "void.txt", content: "" }, gives: "success" },
    {
      about: "a file that was read",
      args: { path: "hello.txt", content: "new\n" },
      gives: "success",
      after: read("hello.txt"),
    },
    {
      about: "a file unread, outright",
      args: { path: "hello.txt", content: "new\n", overwrite: true },
      gives: "success",
    },
    {
      about: "a file unread where that is allowed",
      args: { path: "hello.txt", content: "new\n" },
      gives: "success",
      options: { overwriteUnread: true },
    },
    {
      about: "a link to a file",
      args: { path: "link.txt", file_text: "x", command: "create" },
      gives: "success",
      after: read("hello.txt"),
    },
    { about: "a file unread", args: { path: "many.txt", content: "x" }, gives: "refusal" },
    {
      about: "a file read in part",
      args: { path: "many.txt", content: "x" },
      gives: "refusal",
      after: [{ name: "read", args: { path: "many.txt", offset: 3, limit: 5 } }],
    },
    { about: "no content", args: { path: "x/y.md" }, gives: "refusal" },
    { about: "an object for content", args: { path: "x.json", content: { k: [1, 2] } }, gives: "refusal" },
    { about: "half a character", args: { path: "x.txt", content: "\ud83d" }, gives: "refusal" },
    { about: "a directory", args: { path: "src", content: "x", overwrite: true }, gives: "refusal" },
    { about: "a file taken for a directory", args: { path: "hello.txt/x", content: "x" }, gives: "refusal" },
    { about: "a FIFO", args: { path: "pipe", content: "x", overwrite: true }, gives: "refusal" },
    { about: "a generated file", args: { path: "made.ts", content: "x", overwrite: true }, gives: "refusal" },
    { about: "a .git directory", args: { path: "nested/.GIT/hooks/x", content: "x" }, gives: "refusal" },
    { about: "the records of haft", args: { path: ".haft/x", content: "x" }, gives: "refusal" },
    {
      about: "a link to the outside",
      args: { path: "link-out", content: "x", overwrite: true },
      gives: "refusal",
    },
    { about: "a dangling link out of nowhere", args: { path: "../x.txt", content: "x" }, gives: "refusal" },
    { about: "a text that is cut off", args: '{"path":"new.txt","content":"half', gives: "refusal" },
  ],
  values: [
    "new.txt",
    "a/b.txt",
    "hello.txt",
    "src",
    "../x",
    "pipe",
    ".git/x",
    "\0",
    "x".repeat(300),
    "text\n",
    "",
    true,
    "true",
    { k: 1 },
    null,
  ],
};
