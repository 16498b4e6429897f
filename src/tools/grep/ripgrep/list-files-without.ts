/**
 * Owns running ripgrep and reading its list: names of files in which nothing can match, each with a NUL behind it.
 * Leaves what it is asked to ripgrep-arguments.ts. Rule: a name counts where its NUL is there; whatever becomes of
 * ripgrep, what it has named whole is true, and it has ended when this has.
 */
import type { Programs } from "../../../contract/program.ts";
import { finishIn, type Slices } from "../../../root/search-pump.ts";
import type { SearchJob } from "../engine.ts";
import { askForFilesWithout } from "./ripgrep-arguments.ts";

/** Bytes read between two pauses: under 3 ms. */
const PIECE = 131_072;

interface Asked {
  readonly job: SearchJob;
  readonly programs: Programs;
  readonly printed: string;
}

interface Asking {
  /** Absolute path of ripgrep. */
  readonly program: string;
  readonly slices: Slices;
  /** What is done while ripgrep runs. */
  readonly meanwhile: () => Promise<void>;
}

/** Paths relative to the searched place, as binary strings; undefined where ripgrep could not be started. */
export async function listFilesWithout(
  { job, programs, printed }: Asked,
  { program, slices, meanwhile }: Asking,
): Promise<ReadonlySet<string> | undefined> {
  const stopping = new AbortController();
  const signal = AbortSignal.any([job.signal, stopping.signal]);
  const running = programs.run({ program, ...askForFilesWithout(job, printed), signal });
  // A failure is met where it is awaited below; until then it must not count as unhandled.
  running.catch(() => {});
  try {
    await meanwhile();
    const end = await running;
    if (end.kind === "not-started") return undefined;
    const names = new Set<string>();
    await finishIn(slices, readNames(end.output, names));
    return names;
  } finally {
    stopping.abort();
    await running.catch(() => {});
  }
}

function* readNames(output: Buffer, names: Set<string>): Generator<undefined, void> {
  for (let from = 0; from < output.length; ) {
    const end = output.lastIndexOf(0, Math.min(from + PIECE, output.length) - 1) + 1;
    if (end <= from) return;
    for (const name of output.toString("latin1", from, end - 1).split("\0"))
      names.add(name.startsWith("./") ? name.slice(2) : name);
    from = end;
    yield undefined;
  }
}
