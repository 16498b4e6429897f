/**
 * Owns the tests that nothing of a command survives its end by timeout, by cancel, by its worker's end and death.
 * Rule: a real bash and real children, many side by side; each sleeps for a time that no other process of this
 * machine sleeps for, by which it is looked for.
 *
 * Not here, because only confinement holds it: what leaves group and session, clears its environment, gives up the
 * outputs *and* is orphaned before the first look: `(env -i setsid sleep 9 </dev/null >/dev/null 2>&1 &)`.
 */
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listMarked, listWithWord, openRealCommands } from "../../test/support/real-commands.ts";
import { endMarked } from "./end-marked.ts";

let at: ReturnType<typeof openRealCommands>;
beforeEach(() => {
  at = openRealCommands();
});
afterEach(() => at.close());

const quiet = "</dev/null >/dev/null 2>&1";
/** `@` stands for a time, another one for each command. */
const WAYS: Readonly<Record<string, string>> = {
  "a child": "sleep @ & wait",
  "a child that holds the pipes alone": "sleep @ & disown; exec sleep @",
  "a pipeline": "sleep @ | sleep @ | cat",
  nohup: `nohup sleep @ ${quiet} & sleep @`,
  "a session of its own": `setsid sleep @ ${quiet} & sleep @`,
  "forked twice": `(setsid sleep @ ${quiet} &); sleep @`,
  "forked twice, in the group": `(sleep @ ${quiet} &); sleep @`,
  "ignores TERM": "trap '' TERM; sleep @; :",
  "ignores all it can, in a session of its own": "trap '' TERM HUP INT QUIT; setsid sleep @ & sleep @",
  "a child that stopped itself": "(kill -STOP $BASHPID; sleep @) & sleep @",
  "a shell that stopped itself": "sleep @ & kill -STOP $$; sleep @",
  "clears its environment while it is seen": `(env -i setsid sh -c 'sleep 0.2; exec sleep @' ${quiet}) & sleep @`,
  "clears its environment and keeps the output": "(env -i setsid sleep @ &); sleep @",
  // These two end by themselves in a minute: of a run that is interrupted nothing may go on for ever.
  "starts itself anew": "f() { (sleep 0.01; [ $SECONDS -gt 60 ] || f) & }; f; sleep @",
  "goes from process to process": `exec python3 -c '
import os, time
end = time.time() + 60
while time.time() < end:
  if os.fork(): os._exit(0)
  os.setsid(); time.sleep(0.003)' @`,
  "many at once": "for i in {1..40}; do sleep @ & done; wait",
};

let counted = 0;
const uniqueWord = () => `${300_000 + process.pid}.${++counted}`;

/** Until each was seen to run: what never ran could not survive. */
async function seeEach(words: readonly string[]): Promise<void> {
  const unseen = new Set(words);
  while (unseen.size > 0) {
    for (const word of unseen) if (listWithWord(word).length > 0) unseen.delete(word);
    await sleep(10);
  }
}

describe.each(["timeout", "cancel", "end of the worker"])("by %s", (how) => {
  it("nothing of a command survives", async () => {
    const controller = new AbortController();
    setMaxListeners(50, controller.signal);
    const started = Object.entries(WAYS).map(([name, way]) => {
      const word = uniqueWord();
      const timeoutMs = how === "timeout" ? 2_500 : 60_000;
      const end = at.run(way.replaceAll("@", word), { timeoutMs, signal: controller.signal });
      return { name, word, end };
    });
    await seeEach(started.map(({ word }) => word));
    if (how === "cancel") {
      await sleep(200);
      controller.abort();
    }
    if (how !== "end of the worker") await Promise.all(started.map(({ end }) => end));
    await at.commands.close();
    const left = started.flatMap(({ name, word }) => listWithWord(word).map((pid) => `${name}: ${pid}`));
    expect(left).toEqual([]);
    expect(listMarked(at.marker)).toEqual([]);
  });
});

describe("by the death of the worker", () => {
  it("nothing survives that carries its marker, or comes from what does", async () => {
    const words = Array.from({ length: 4 }, uniqueWord);
    const [one, two, three, four] = words;
    const running = [
      at.run(`trap '' TERM; sleep ${one} & setsid sleep ${two} & wait`),
      at.run(`env -i sleep ${three} & setsid env -i sh -c 'sleep ${four}; :' & wait`),
    ];
    await vi.waitFor(() => expect(words.every((word) => listWithWord(word).length > 0)).toBe(true), 10_000);
    // As the host does it: it knows the marker alone.
    await endMarked(at.marker);
    expect(words.flatMap(listWithWord)).toEqual([]);
    await Promise.all(running);
  });

  it("leaves what carries another's", async () => {
    const other = openRealCommands();
    const word = uniqueWord();
    const running = other.run(`sleep ${word}`);
    await vi.waitFor(() => expect(listWithWord(word)).not.toEqual([]), 10_000);
    await endMarked(at.marker);
    expect(listWithWord(word)).not.toEqual([]);
    await other.close();
    await running;
  });
});
