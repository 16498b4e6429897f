/**
 * Owns asking bash whether it can read a command, without running it.
 * Leaves deciding when to ask to the tool. Rule: what bash reads is no error, whatever another parser says.
 */
import { spawn } from "node:child_process";
import type { LocalCommand } from "./local-command.ts";
import { MAX_ARGUMENT } from "./script-text.ts";
import { killChild } from "./signal.ts";

const ASK_MS = 10_000;
const MAX_BYTES = 65_536;

export interface SyntaxFault {
  readonly kind: "syntax-error";
  readonly message: string;
  readonly line?: number;
}

export async function checkSyntax(request: LocalCommand): Promise<SyntaxFault | undefined> {
  const { code, printed } = await ask(request);
  return code === null || code === 0 ? undefined : parseFault(printed);
}

/** `bash: -c: line 2: syntax error near unexpected token ')'`, then the text of the line. */
export function parseFault(printed: string): SyntaxFault | undefined {
  const told = printed.split("\n").find((line) => line !== "" && !line.includes(": warning: "));
  const found = /^[^:]*: (?:-c: )?(?:line (\d+): )?(.*)$/.exec(told ?? "");
  if (found === null) return undefined;
  const [, line, message = ""] = found;
  return { kind: "syntax-error", message, ...(line === undefined ? {} : { line: Number(line) }) };
}

/** As an argument, because only then bash tells the line; as input where it is longer than an argument can be. */
function ask({ bash, command, cwd, environment, signal }: LocalCommand) {
  return new Promise<{ code: number | null; printed: string }>((resolve) => {
    const isLong = Buffer.byteLength(command) > MAX_ARGUMENT;
    const child = spawn(bash, isLong ? ["-n"] : ["-n", "-c", "--", command], {
      cwd,
      argv0: "bash",
      // Messages in one language, so that they can be read.
      env: { ...environment, LC_ALL: "C" },
      stdio: ["pipe", "ignore", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    let printed = "";
    const end = () => killChild(child);
    const timer = setTimeout(end, ASK_MS);
    const finish = (code: number | null) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve({ code, printed });
    };
    signal.addEventListener("abort", end, { once: true });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (printed.length < MAX_BYTES) printed += text;
    });
    child.once("error", () => finish(null));
    child.once("close", finish);
    child.stdin?.on("error", () => undefined).end(isLong ? command : "");
  });
}
