/**
 * Owns the promise that a window and what `recall` returns give back any result exactly, each answer of `recall`
 * windowed again, over a real ledger. Leaves single answers to the tests beside window.ts and recall.ts.
 * Rule: this reads as a model or a host does, by the text alone; the code under test is not asked how.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { openLedger } from "../../src/ledger/ledger.ts";
import { bounded, window } from "../../src/text/window.ts";
import { expectSuccess, type LooseToolset, mountWithResults } from "../support/loose-toolset.ts";

const root = mkdtempSync(join(tmpdir(), "haft-window-"));
afterAll(() => rmSync(root, { recursive: true }));

/** As much of a session as keeps results whole and windows what leaves. */
interface SmallSession {
  readonly tools: LooseToolset;
  /** Keeps a result under the next id; gives what the request carries of it. */
  keep(content: string): Carried;
  close(): Promise<void>;
}

interface Carried {
  readonly id: string;
  readonly text: string;
}

function openSmallSession(): SmallSession {
  const ledger = openLedger("memory");
  const session = ledger.openSession({ id: "s", agentId: "main", root, resume: false });
  const tools = mountWithResults(root, session.results);
  let calls = 0;
  return {
    tools,
    keep(content) {
      const callId = `call_${calls++}`;
      session.started({ callId, name: "bash", sent: "{}", atMs: 0 });
      const output = { isError: false, content, images: [], details: {}, notes: [] } as const;
      session.ended({ callId, output, sights: [], oldBytes: [], atMs: 0, durationMs: 0 });
      return { id: callId, text: window(content, { id: callId, recall: "recall" }).text };
    },
    async close() {
      await tools.close();
      ledger.close();
    },
  };
}

async function recall(session: SmallSession, args: unknown): Promise<Carried> {
  return session.keep(expectSuccess(await session.tools.call("recall", args)).content);
}

interface Gap {
  readonly before: string;
  readonly after: string;
  readonly args: { id: string; range?: Span; chars?: Span };
}
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The gap that the text tells of; undefined where it is whole. */
function findGap({ id, text }: Carried): Gap | undefined {
  for (const hit of text.matchAll(
    /(?<=^|\n)\[result [^\n]* omitted, [^\n]*; recall (\{[^\n]*\}) returns them\]\n/g,
  )) {
    const args = JSON.parse(hit[1] ?? "") as Gap["args"];
    if (args.id !== id) continue;
    const head = text.slice(0, hit.index);
    const before = args.chars === undefined ? head : [...head].slice(0, args.chars.start).join("");
    return { before, after: text.slice(hit.index + hit[0].length), args };
  }
  return undefined;
}

/** The whole result, by following the calls that the gaps name, however often; and how many calls that took. */
async function rebuildWhole(
  session: SmallSession,
  carried: Carried,
): Promise<{ whole: string; calls: number }> {
  const gap = findGap(carried);
  if (gap === undefined) return { whole: carried.text, calls: 0 };
  const { whole, calls } = await rebuildWhole(session, await recall(session, gap.args));
  return { whole: gap.before + whole.slice(whole.indexOf("\n") + 1) + gap.after, calls: calls + 1 };
}

async function expectRebuilt(content: string): Promise<number> {
  const session = openSmallSession();
  const { whole, calls } = await rebuildWhole(session, session.keep(content));
  expect(whole === content, "the rebuilt result is the result").toBe(true);
  await session.close();
  return calls;
}

describe("window and recall", () => {
  it.each([
    ["29,999 characters", "x".repeat(29_999), 0],
    ["30,000 characters", "x".repeat(30_000), 0],
    ["30,001 characters", "x".repeat(30_001), 1],
    ["30,000 emoji", "😀".repeat(30_000), 0],
    ["30,001 emoji", "😀".repeat(30_001), 1],
    ["a letter and 20,000 emoji (O01)", `a${"😀".repeat(20_000)}`, 0],
    ["a letter and 200,000 emoji", `a${"😀".repeat(200_000)}`, 6],
    ["one emoji a line", "😀\n".repeat(100_000), 6],
    ["lines that end in CRLF", "a line of Windows\r\n".repeat(10_000), 6],
    [
      "CRLF at the borders of both sides",
      `${"x".repeat(11_999)}\r\n${"y".repeat(90_000)}\r\n${"z".repeat(17_999)}`,
      4,
    ],
    ["lone carriage returns", "progress\r".repeat(20_000), 6],
    ["newlines alone", "\n".repeat(150_000), 5],
    ["no final newline", `${"word\n".repeat(20_000)}end`, 3],
    [
      "a long line between short ones",
      `${"s\n".repeat(20_000)}${"l".repeat(100_000)}\n${"s\n".repeat(20_000)}`,
      6,
    ],
  ])("rebuild a result of %s exactly, following the gaps", async (_name, content, recalls) => {
    expect(await expectRebuilt(content)).toBe(recalls);
  });

  it.each(["x", "😀"])(
    "rebuild one line of 5,000,000 times %j, recalled in pieces that need no window",
    async (one) => {
      const content = one.repeat(5_000_000);
      const session = openSmallSession();
      const gap = findGap(session.keep(content)) ?? expect.fail("no gap");
      const { start, end } = gap.args.chars ?? expect.fail("no characters are named");
      const pieces: string[] = [];
      for (let at = start; at < end; at += 29_000) {
        const { text } = await recall(session, {
          id: "call_0",
          chars: { start: at, end: Math.min(at + 29_000, end) },
        });
        pieces.push(text.slice(text.indexOf("\n") + 1));
      }
      expect(gap.before + pieces.join("") + gap.after === content).toBe(true);
      await session.close();
      await session.close();
    },
    120_000,
  );

  it("rebuild any result exactly, following the gaps", async () => {
    const piece = fc.constantFrom(
      ...'aZ0 \t"\\[]',
      "\n",
      "\r\n",
      "\r",
      "😀",
      "字",
      "e\u0301",
      "\u2028",
      "\uFEFF",
      "[result lines 1–2 omitted, 3 characters]\n",
      "x".repeat(7_000),
    );
    const block = fc.tuple(
      fc.array(piece, { minLength: 1, maxLength: 15 }),
      fc.integer({ min: 1, max: 6_000 }),
    );
    const content = fc
      .array(block, { minLength: 1, maxLength: 5 })
      .map((blocks) =>
        blocks
          .map(([pieces, times]) => pieces.join("").repeat(times))
          .join("")
          .slice(0, 150_000),
      )
      .map((text) => text.toWellFormed());
    await fc.assert(
      fc.asyncProperty(content, async (text) => {
        await expectRebuilt(text);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it("leave out of a bounded text what its window leaves out", () => {
    for (const content of ["x".repeat(40_000), "line\n".repeat(20_000), "short"])
      expect(bounded(content)).toBe(
        window(content, { id: "call_0", recall: "recall" }).text.replace(
          /; recall .* returns them\]\n/,
          "]\n",
        ),
      );
  });
});
