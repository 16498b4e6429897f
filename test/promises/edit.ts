/** Owns the calls by which `edit` is held to its promises. Leaves the promises to promises.test.ts. Rule: one of each kind of answer. */
import type { Registration } from "./registration.ts";

const edit = (path: string, old_text: string, new_text: string) => ({
  path,
  edits: [{ old_text, new_text }],
});

export const editPromises: Registration = {
  tool: "edit",
  calls: [
    { about: "one line", args: edit("hello.txt", "world", "there"), gives: "success" },
    {
      about: "several edits",
      args: {
        path: "hello.txt",
        edits: [
          { old_text: "hello", new_text: "bye" },
          { old_text: "bye\nworld", new_text: "x" },
        ],
      },
      gives: "success",
    },
    {
      about: "every occurrence",
      args: { path: "twice.txt", old_string: "same", new_string: "new", replace_all: true },
      gives: "success",
    },
    {
      about: "as many occurrences as expected",
      args: { path: "twice.txt", old_string: "same", new_string: "new", expected_replacements: 2 },
      gives: "success",
    },
    {
      about: "another count than expected",
      args: { path: "twice.txt", old_string: "same", new_string: "new", expected_replacements: 3 },
      gives: "refusal",
    },
    { about: "a CRLF file", args: edit("crlf.txt", "two\nthree", "2\n3"), gives: "success" },
    { about: "a UTF-16 file", args: edit("utf16.txt", "wide", "broad"), gives: "success" },
    { about: "a file that is not UTF-8, in ASCII", args: edit("latin.txt", "a=1", "a=2"), gives: "success" },
    { about: "a link to a file", args: edit("link.txt", "hello", "bye"), gives: "success" },
    { about: "a long file", args: edit("many.txt", "line 450 of", "LINE 450 of"), gives: "success" },
    {
      about: "edits as JSON text",
      args: { path: "hello.txt", edits: '[{"old_text":"hello","new_text":"😀"}]' },
      gives: "success",
    },
    {
      about: "a text that is not there",
      args: edit("many.txt", "line 450 of few, with some words", "x"),
      gives: "refusal",
    },
    { about: "a text that is nowhere near", args: edit("hello.txt", "qwertz\nasdf", "x"), gives: "refusal" },
    { about: "a text that stands twice", args: edit("twice.txt", "same", "new"), gives: "refusal" },
    { about: "no change", args: edit("hello.txt", "hello", "hello"), gives: "refusal" },
    {
      about: "what is already done",
      args: edit("hello.txt", "goodbye cruel", "hello\nworld"),
      gives: "refusal",
    },
    { about: "a missing file", args: edit("helo.txt", "a", "b"), gives: "refusal" },
    { about: "a directory", args: edit("src", "a", "b"), gives: "refusal" },
    { about: "a FIFO", args: edit("pipe", "a", "b"), gives: "refusal" },
    { about: "a program", args: edit("program.bin", "ELF", "b"), gives: "refusal" },
    { about: "a generated file", args: edit("made.ts", "x = 1", "x = 2"), gives: "refusal" },
    { about: "a .git directory", args: edit(".git/config", "core", "x"), gives: "refusal" },
    { about: "the configuration", args: edit("haft.config.json", "{}", "{ }"), gives: "refusal" },
    { about: "a path outside", args: edit("../outside.txt", "outside", "x"), gives: "refusal" },
    { about: "a link to the outside", args: edit("link-out", "outside", "x"), gives: "refusal" },
    {
      about: "an argument that it does not know",
      args: { ...edit("hello.txt", "hello", "x"), dry_run: true },
      gives: "refusal",
    },
    {
      about: "a doubtful escape",
      args: '{"path":"hello.txt","edits":[{"old_text":"C:\\dev","new_text":""}]}',
      gives: "refusal",
    },
    {
      about: "a text that is cut off",
      args: '{"path":"hello.txt","edits":[{"old_text":"hello","new_',
      gives: "refusal",
    },
  ],
  values: [
    "hello.txt",
    "twice.txt",
    "many.txt",
    "src",
    "../outside.txt",
    "pipe",
    ".git/config",
    "hello",
    "same",
    "",
    "\n",
    [{ old_text: "hello", new_text: "x" }],
    [{ old_text: "same", new_text: "x", replace_all: true }],
    true,
    null,
  ],
};
