/** Owns the calls by which `commitments` is held to its promises. Leaves the promises to promises.test.ts, the commitments to kept-commitments.ts. Rule: one of each kind of answer. */
import { keepCommitments } from "../support/kept-commitments.ts";
import type { Registration } from "./registration.ts";

export const commitmentsPromises: Registration = {
  tool: "commitments",
  calls: [
    { about: "the list", args: {}, gives: "success" },
    { about: "the list with closed ones", args: { include_closed: true }, gives: "success" },
    { about: "an empty id", args: { id: "" }, gives: "success" },
    { about: "one that is proven", args: { id: "aaaa000011" }, gives: "success" },
    { about: "one of odd text", args: { id: "aaaa000022" }, gives: "success" },
    { about: "the beginning of one", args: { id: "bbbb" }, gives: "success" },
    { about: "one that waits for another", args: { id: "dddd0000" }, gives: "success" },
    { about: "a proposal", args: { id: "eeee0000" }, gives: "success" },
    { about: "a closed one", args: { id: "ffff0000" }, gives: "success" },
    {
      about: "an argument that says nothing here",
      args: { id: "ffff", include_closed: true },
      gives: "success",
    },
    { about: "an argument that it does not know", args: { status: "open" }, gives: "success" },
    { about: "an id that is none", args: { id: "zzzzzzzz" }, gives: "refusal" },
    { about: "a near one", args: { id: "bbbb0001" }, gives: "refusal" },
    { about: "the beginning of two", args: { id: "aaaa" }, gives: "refusal" },
    { about: "a number for an id", args: { id: ["a"] }, gives: "refusal" },
  ],
  values: ["aaaa", "aaaa000011", "bbbb", "zzzz", "", "__proto__", true, false, "true", null, 7, {}, "\u202e"],
  commitments: keepCommitments,
};
