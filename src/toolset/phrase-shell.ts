/**
 * Owns the sentences of refusals about commands, jobs and the process that runs them. Leaves the record of codes to
 * phrase.ts, which alone uses this. Rule: as phrase.ts says. A command that failed has its output as content; these
 * sentences stand where there is none.
 */
import type { RefusalFacts } from "../contract/refusal.ts";
import { listItems, type Phrase, type PhraseContext } from "./phrase-words.ts";
import { clipQuoted } from "./show-value.ts";

export function phraseFailed({ code, signal }: RefusalFacts["command-failed"]): Phrase {
  return { wrong: signal === null ? `exit code ${code}` : `killed by ${signal}` };
}

export function phraseTimedOut({ timeoutMs }: RefusalFacts["command-timed-out"]): Phrase {
  return { wrong: `timed out after ${timeoutMs} ms` };
}

export function phraseSyntax({ message, line }: RefusalFacts["command-syntax"]): Phrase {
  const where = line === undefined ? "" : ` in line ${line}`;
  return {
    wrong: `The command has a syntax error${where}: ${clipQuoted(message)}.`,
    advice: "No part of it was run.",
  };
}

export function phraseNotStarted({ error }: RefusalFacts["command-not-started"]): Phrase {
  return { wrong: `The command could not be started: ${clipQuoted(error)}.` };
}

export function phraseNoJob({ id, jobs }: RefusalFacts["job-unknown"], { names }: PhraseContext): Phrase {
  const list = names.suggest("jobs", {});
  return {
    wrong: `There is no job ${JSON.stringify(clipQuoted(id))} in this session.`,
    advice:
      jobs.length === 0
        ? "It has no jobs."
        : `Its jobs are ${listItems(jobs)}.${list === undefined ? "" : ` See them with ${list}`}`,
  };
}

export function phraseWorkerLost({ tool, why, ran }: RefusalFacts["worker-lost"]): Phrase {
  if (ran === "tool")
    return {
      wrong: `${tool} failed: the process that runs tools ${clipQuoted(why)}.`,
      advice:
        "What it had started was ended. What the call had changed stays; no file is left half written. The next call gets a new process.",
    };
  return {
    wrong: `${tool} failed: the process that runs programs ${clipQuoted(why)}.`,
    advice: "What it had started was ended; what that had changed stays. The next call gets a new one.",
  };
}
