/**
 * Owns the tasks that start programs: commands, jobs, a browser, ripgrep.
 * Leaves doing it to process/. Rule: loaded with the first of them, and what they have started ends with them.
 */
import type { JobOutput } from "../contract/shell.ts";
import { openBrowsers } from "../process/browser/browsers.ts";
import { openCommands } from "../process/commands.ts";
import { makeMark } from "../process/mark.ts";
import { runProgram } from "../process/spawn-program.ts";
import {
  type Parted,
  type TaskAnswer,
  type TaskName,
  type TaskTable,
  takeStreamsOut,
} from "../worker/tasks.ts";
import type { TaskContext, TasksRequest } from "./serve.ts";

export type Task<Name extends TaskName> = (
  input: TaskTable[Name]["input"],
  context: TaskContext,
) => Promise<TaskAnswer<TaskTable[Name]["output"]>>;

export type ProgramTasks = {
  readonly [Name in Exclude<TaskName, "tool.run" | "page.convert" | "pdf.read">]: Task<Name>;
};

export function openProgramTasks({ marker, firstJob, onJobEnded }: TasksRequest) {
  const commands = openCommands({ marker, firstJob, onJobEnded });
  const { jobs } = commands;
  const browsers = openBrowsers({ marker });
  const mark = makeMark(marker, 0);
  const tasks: ProgramTasks = {
    "program.run": async (input, { signal }) => {
      const end = await runProgram({ ...input, signal, mark });
      if (end.kind === "not-started") return { value: end, parts: [] };
      const { output, ...value } = end;
      return { value, parts: [output] };
    },
    "command.run": async (input, { signal, onProgress }) => {
      const end = await commands.run({ ...input, signal, onOutput: onProgress });
      return end.kind === "ended" || end.kind === "background"
        ? (takeStreamsOut(end) as TaskAnswer<TaskTable["command.run"]["output"]>)
        : { value: end, parts: [] };
    },
    "browser.run": async (input, { signal }) => {
      const end = await browsers.run(input, signal);
      if (end.kind === "not-started") return { value: end, parts: [] };
      const { dom, screenshot = new Uint8Array(), ...value } = end;
      return { value, parts: [dom, screenshot] };
    },
    "jobs.list": async () => ({ value: await jobs.list(), parts: [] }),
    "jobs.read": async ({ id }) => takeOut(await jobs.read(id)),
    "jobs.wait": async (input, { signal }) => takeOut(await jobs.wait({ ...input, signal })),
    "jobs.stop": async ({ id }) => takeOut(await jobs.stop(id)),
  };
  return {
    tasks,
    async close(): Promise<void> {
      await Promise.all([browsers.close(), commands.close()]);
    },
  };
}

function takeOut<T extends JobOutput>(output: T | undefined): TaskAnswer<Parted<T> | null> {
  return output === undefined ? { value: null, parts: [] } : takeStreamsOut(output);
}
