/** Owns the calls by which `jobs` is held to its promises. Leaves the promises to promises.test.ts, jobs themselves to test/bugs. Rule: one of each kind of answer. */
import type { Registration } from "./registration.ts";

export const jobsPromises: Registration = {
  tool: "jobs",
  calls: [
    { about: "all of none", args: {}, gives: "success" },
    { about: "all by name", args: { action: "list" }, gives: "success" },
    { about: "an argument without effect", args: { action: "list", id: "job_1" }, gives: "success" },
    { about: "an alias", args: { op: "list" }, gives: "success" },
    { about: "a job that is not there", args: { id: "job_9" }, gives: "refusal" },
    { about: "the end of none", args: { action: "stop" }, gives: "refusal" },
    { about: "waiting for none", args: { pattern: "ready" }, gives: "refusal" },
    { about: "a pattern that is not supported", args: { id: "job_9", pattern: "a(?=b)" }, gives: "refusal" },
    { about: "a port that cannot be", args: { id: "job_9", port: 70_000 }, gives: "refusal" },
    { about: "an action that is none", args: { id: "job_9", action: "kill" }, gives: "refusal" },
    { about: "an argument that it does not know", args: { dry_run: true }, gives: "refusal" },
  ],
  values: ["job_1", "job_2", "list", "read", "wait", "stop", "(", "ready", 80, 0, "80", null, ""],
};
