/**
 * Owns `haft explain`: what would be decided about a call, and what it would change.
 * Leaves deciding to permission/. Rule: nothing is run, nobody is asked, nothing is recorded. Status 1 where the call
 * would not run as it stands.
 */
import type { Command } from "commander";
import type { Explanation } from "../../../session/explain-call.ts";
import { openWithFlags } from "../open-with-flags.ts";
import { colorsFor, printJson, printLine } from "../print.ts";
import { safeFor } from "../print-safely.ts";
import { readJsonArgument } from "../read-json-argument.ts";
import { addSessionFlags, quoteWord, type SessionFlags } from "../session-flags.ts";

const EXAMPLES = `
JSON is the call's arguments; - reads them from standard input. The status is 1 where the call would be asked about,
denied or refused.

Examples:
  haft explain bash '{"command":"npm test"}'
  haft explain edit - --mode read-only < edit.json
  haft explain bash '{"command":"git push"}' --deny 'runs(git push *)' --json`;

interface ExplainFlags extends SessionFlags {
  readonly json?: boolean;
}

export function addExplainCommand(program: Command): void {
  const command = program
    .command("explain")
    .description("say what would be decided about a call and what it would change, without running it")
    .argument("<tool>", "the tool's name; haft tools lists them")
    .argument("[json]", "the arguments as JSON, or - for standard input")
    .option("--json", "print the explanation as JSON")
    .addHelpText("after", EXAMPLES);
  addSessionFlags(command, "the working directory").action(
    async (tool: string, json: string | undefined, flags: ExplainFlags) => {
      const cwd = process.cwd();
      // Nothing of an explanation is kept, so nothing is opened for it.
      const session = await openWithFlags({
        flags: { ...flags, ledger: "memory" },
        root: flags.root ?? cwd,
        cwd,
      });
      try {
        const explanation = await session.explain({ name: tool, args: await readJsonArgument(json) });
        process.exitCode = explanation.outcome === "allow" && !("refusal" in explanation) ? 0 : 1;
        // As for a call: a tool that there is not is a word of the person's own.
        if ("refusal" in explanation && explanation.refusal?.code === "tool-unknown") process.exitCode = 2;
        if (flags.json) printJson(explanation);
        else printLine(describe(explanation));
      } finally {
        await session.close();
      }
    },
  );
}

const WORDS = { allow: "allowed", ask: "asks a person first", deny: "denied" } as const;

function describe(explanation: Explanation): string {
  const safe = (text: string) => safeFor(process.stdout, text);
  if (explanation.outcome === "refused") return `refused: ${safe(explanation.content)}`;
  const { bold } = colorsFor(process.stdout);
  const { outcome, reason, effects, access, allowed, suggestedRule, diff, content } = explanation;
  const lines = [`${bold(WORDS[outcome])}: ${reason}`, row("effects", effects)];
  lines.push(
    row(
      "paths",
      access.paths.map(({ effect, path }) => `${effect} ${path}`),
    ),
  );
  if (outcome !== "allow") lines.push(row("allowed instead", allowed));
  if (outcome !== "allow" && suggestedRule !== undefined)
    lines.push(row("would allow it", [`--allow ${quoteWord(suggestedRule)}`]));
  if (content !== undefined) lines.push(`it would be refused: ${safe(content)}`);
  const shown = diff === undefined ? undefined : safe(diff);
  if (shown !== undefined) lines.push("", shown);
  return lines.filter((line, index) => line !== "" || lines[index + 1] === shown).join("\n");
}

function row(name: string, values: readonly string[]): string {
  return values.length === 0 ? "" : `${name}: ${values.join(", ")}`;
}
