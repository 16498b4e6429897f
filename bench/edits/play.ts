/**
 * Owns playing tasks through an edit tool, on real files in a folder of its own.
 * Leaves judging to score.ts. Rule: what counts is what stands on disk afterwards.
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, type Judged, judge } from "./score.ts";
import type { SentEdit, Task } from "./task.ts";

export interface EditTool {
  readonly name: string;
  /** `file` is below the folder that the tool was opened for. A tool that throws has refused. */
  edit(file: string, edits: readonly SentEdit[]): Promise<Answer>;
  close(): Promise<void>;
  /** For tools that take one edit at a time. */
  readonly onlyOne?: boolean;
}

export type OpenTool = (root: string) => Promise<EditTool>;

export async function playTasks(
  open: OpenTool,
  tasks: readonly Task[],
): Promise<{ name: string; judged: Judged[] }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-edits-")));
  try {
    const tool = await open(root);
    const judged: Judged[] = [];
    for (const task of tasks) {
      if (tool.onlyOne && task.edits.length > 1) continue;
      judged.push(await playTask(tool, root, task));
    }
    await tool.close();
    return { name: tool.name, judged };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function playTask(tool: EditTool, root: string, task: Task): Promise<Judged> {
  const name = `source${task.extension}`;
  const path = join(root, name);
  writeFileSync(path, task.before);
  let answer: Answer;
  try {
    answer = await tool.edit(name, task.edits);
  } catch (error) {
    answer = { refused: true, text: error instanceof Error ? error.message : String(error) };
  }
  return judge(task, answer, readFileSync(path));
}
