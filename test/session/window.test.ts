import { expect, it } from "vitest";
import { findSuggestedCalls } from "../support/suggested-calls.ts";
import { callOf, expectCode, expectDone, makeRoot, open } from "./session-fixture.ts";

/** Larger than a session reads by itself, so that a result has a gap. */
const WIDE = { readMax: 65_536, resultMax: 65_536 };
const LONG = Array.from({ length: 700 }, (_, index) => `${index} ${"word ".repeat(14)}`).join("\n");

it("carries a long result with one gap, whose line recalls exactly what is missing", async () => {
  const session = await open(makeRoot({ "long.txt": LONG }), { limits: WIDE, prefix: "p_" });
  const result = expectDone(
    await session.call("p_read", { path: "long.txt", limit: 800 }, { id: "toolu_1" }),
  );
  const whole = session.ledger.result(`${session.id}/toolu_1`)?.content ?? "";
  expect([...whole].length).toBe(result.window?.totalChars);
  expect(result.content.length).toBeLessThan(31_000);
  const gap = /\n(\[result .*\])\n/.exec(result.content)?.[1] ?? "";
  const [suggested] = findSuggestedCalls(gap, ["p_recall"]);
  expect(suggested?.args).toMatchObject({ id: "toolu_1" });
  const recalled = expectDone(await session.call("p_recall", suggested?.args)).content;
  const [head, tail] = result.content.split(`${gap}\n`);
  const missing = recalled.slice(recalled.indexOf("\n") + 1);
  expect(`${head}${missing}${tail}`).toBe(whole);
});

it("never cuts what read, list, glob and grep give by default", async () => {
  const session = await open(makeRoot({ "long.txt": LONG }));
  const calls = [
    callOf("read", { path: "long.txt", limit: 5_000 }),
    callOf("grep", { pattern: "word", limit: 100 }),
    callOf("list", {}),
  ];
  for (const result of await session.batch(calls)) {
    expectDone(result);
    expect(result.window).toBeUndefined();
    expect(result.content.length).toBeLessThanOrEqual(30_000);
  }
});

it("takes a file for known only once what was in the gap has been recalled", async () => {
  const session = await open(makeRoot({ "long.txt": LONG }), { limits: WIDE });
  await session.call("read", { path: "long.txt", limit: 800 }, { id: "r" });
  const write = { path: "long.txt", content: "new" };
  expectCode(await session.call("write", write), "file-unread");
  const gap = /"start":(\d+),"end":(\d+)/.exec(
    (await session.call("read", { path: "long.txt", limit: 800 }, { id: "s" })).content,
  );
  const [start, end] = [Number(gap?.[1]), Number(gap?.[2])];
  await session.call("recall", { id: "s", range: { start, end: end - 1 } });
  expectCode(await session.call("write", write), "file-unread");
  await session.call("recall", { id: "s", range: { start: end, end: end + 5 } });
  expectDone(await session.call("write", write));
});

it("windows a recalled result under its own id, and an error too", async () => {
  const session = await open(makeRoot({ "long.txt": LONG }), { limits: WIDE });
  await session.call("read", { path: "long.txt", limit: 800 }, { id: "r" });
  const recalled = expectDone(await session.call("recall", { id: "r" }, { id: "again" }));
  expect(recalled.content).toContain('recall {"id":"again"');
  expect(recalled.window?.omitted.characters).toBeGreaterThan(0);
});

it("names no recall where it is not mounted", async () => {
  const session = await open(makeRoot({ "long.txt": LONG }), { limits: WIDE, tools: ["read"] });
  const result = expectDone(await session.call("read", { path: "long.txt", limit: 800 }));
  expect(result.content).toMatch(/\n\[result lines \d+–\d+ omitted, [\d,]+ characters\]\n/);
});

it("from the fifth identical call in a row on names the call that has the text", async () => {
  const session = await open(makeRoot({ "a.txt": LONG.slice(0, 2_000) }));
  const results = [];
  for (let index = 0; index < 6; index++) results.push(await session.call("read", { path: "a.txt" }));
  const [first] = results;
  expect(results.slice(0, 4).every((one) => one.content === first?.content)).toBe(true);
  for (const late of results.slice(4)) {
    expectDone(late);
    expect(late.content).toMatch(
      /^\[the same result as call_4, \d times in a row: [\d,]+ characters; recall \{"id":"call_4"\} returns it\]$/,
    );
    expect(session.ledger.result(`${session.id}/${late.id}`)?.content).toBe(first?.content);
  }
  const recalled = expectDone(await session.call("recall", { id: "call_4" }));
  expect(recalled.content.endsWith(first?.content ?? "none")).toBe(true);
  expect((await session.call("read", { path: "a.txt" })).content).toBe(first?.content);
});

it("says nothing of short results, of other calls between, nor where that is turned off", async () => {
  const files = { "a.txt": LONG.slice(0, 2_000), "b.txt": "short\n" };
  const session = await open(makeRoot(files));
  for (let index = 0; index < 7; index++)
    expect((await session.call("read", { path: "b.txt" })).content).toContain("short");
  for (let index = 0; index < 7; index++) {
    expect((await session.call("read", { path: "a.txt" })).content).toContain("1\t0 word");
    await session.call("read", { path: "b.txt" });
  }
  const quiet = await open(makeRoot(files), { repeatNotice: false });
  for (let index = 0; index < 7; index++)
    expect((await quiet.call("read", { path: "a.txt" })).content).toContain("1\t0 word");
});
