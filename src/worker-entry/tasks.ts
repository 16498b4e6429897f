/**
 * Owns the list of the worker's tasks: each name, and which module does it.
 * Leaves doing it to program-tasks.ts, tools.ts, convert-page.ts and read-pdf.ts. Rule: one worker for all; a task that is not in the
 * list does not exist. Nothing is loaded before it is asked for: a worker is up in little more than an empty program
 * takes, whether it is to start programs or to run tools.
 */
import type { TaskName } from "../worker/tasks.ts";
import type { ProgramTasks, Task } from "./program-tasks.ts";
import type { TasksRequest, WorkerTasks } from "./serve.ts";

export function openTasks(request: TasksRequest): WorkerTasks {
  const programs = keepOpen(async () => (await import("./program-tasks.ts")).openProgramTasks(request));
  const tools = keepOpen(async () => (await import("./tools.ts")).openToolRunner(request));
  const program = <Name extends keyof ProgramTasks>(name: Name): Task<Name> => {
    return async (input, context) => {
      const { tasks } = await programs.open();
      return (tasks[name] as Task<Name>)(input, context);
    };
  };
  const table: { readonly [Name in TaskName]: Task<Name> } = {
    "tool.run": async (_input, context) => (await tools.open()).run(context),
    "page.convert": async (input, { signal }) => {
      const { convertPage } = await import("./convert-page.ts");
      return { value: await convertPage(input, signal), parts: [] };
    },
    "pdf.read": async (input, { parts, signal }) => {
      const { readPdfTask } = await import("./read-pdf.ts");
      return readPdfTask(input, { parts, signal });
    },
    "program.run": program("program.run"),
    "command.run": program("command.run"),
    "browser.run": program("browser.run"),
    "jobs.list": program("jobs.list"),
    "jobs.read": program("jobs.read"),
    "jobs.wait": program("jobs.wait"),
    "jobs.stop": program("jobs.stop"),
  };
  return {
    tasks: new Map(Object.entries(table)) as WorkerTasks["tasks"],
    close: async () => (await programs.opened())?.close(),
  };
}

/** Opens once, when it is first needed. */
function keepOpen<T>(make: () => Promise<T>) {
  let opening: Promise<T> | undefined;
  return {
    open(): Promise<T> {
      opening ??= make();
      return opening;
    },
    /** Undefined where nobody has needed it. */
    opened: async (): Promise<T | undefined> => opening,
  };
}
