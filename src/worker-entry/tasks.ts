/**
 * Owns the list of the worker's tasks: each name, and what does it.
 * Leaves doing it to process/. Rule: one worker for all; a task that is not in the list does not exist.
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
import { convertPage } from "./convert-page.ts";
import type { TaskContext, TasksRequest, WorkerTasks } from "./serve.ts";
import type { ToolRunner } from "./tools.ts";

type Task<Name extends TaskName> = (
  input: TaskTable[Name]["input"],
  context: TaskContext,
) => Promise<TaskAnswer<TaskTable[Name]["output"]>>;

export function openTasks({ marker, firstJob, onJobEnded }: TasksRequest): WorkerTasks {
  const commands = openCommands({ marker, firstJob, onJobEnded });
  const { jobs } = commands;
  const browsers = openBrowsers({ marker });
  const mark = makeMark(marker, 0);
  let tools: Promise<ToolRunner> | undefined;
  const table: { readonly [Name in TaskName]: Task<Name> } = {
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
    "page.convert": async (input) => ({ value: await convertPage(input), parts: [] }),
    async "tool.run"(_input, context) {
      // What only starts programs loads no tool.
      tools ??= import("./tools.ts").then(({ openToolRunner }) => openToolRunner());
      return (await tools).run(context);
    },
    "jobs.list": async () => ({ value: await jobs.list(), parts: [] }),
    "jobs.read": async ({ id }) => takeOut(await jobs.read(id)),
    "jobs.wait": async (input, { signal }) => takeOut(await jobs.wait({ ...input, signal })),
    "jobs.stop": async ({ id }) => takeOut(await jobs.stop(id)),
  };
  return {
    tasks: new Map(Object.entries(table)) as WorkerTasks["tasks"],
    async close() {
      await Promise.all([browsers.close(), commands.close()]);
    },
  };
}

function takeOut<T extends JobOutput>(output: T | undefined): TaskAnswer<Parted<T> | null> {
  return output === undefined ? { value: null, parts: [] } : takeStreamsOut(output);
}
