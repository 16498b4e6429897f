import { lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Call } from "../../src/contract/call.ts";
import type { CallResult } from "../../src/index.ts";
import { callOf, expectDone, type LooseSession, makeRoot, open } from "./session-fixture.ts";

const CALLS = 500;
/** Commands run alone and take the longest; some are enough to stand between the others. */
const COMMANDS = 12;

function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const NAMES = ["a.txt", "b.txt", "d/a.txt", "d/b.txt", "d/e/c.txt", "new/x.txt", "new/deep/y.txt"];
/** Other ways to the same places. `link` leads to `d`, `file-link` to `a.txt`. */
const SPELLINGS = [
  "./a.txt",
  "d/../a.txt",
  "link/a.txt",
  "link/e/c.txt",
  "d//b.txt",
  "file-link",
  "link/../b.txt",
];

/** Mixed calls; many are refused in the one order in which they are made, and must be refused in the other too. */
function makeCalls(random: (below: number) => number): Call[] {
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
  const path = () => pick(random(3) === 0 ? SPELLINGS : NAMES);
  const make = (index: number): Call => {
    switch (random(9)) {
      case 0:
      case 1:
        return callOf("write", { path: path(), content: `${index}\nsame\n` });
      case 2:
      case 3:
        return callOf("edit", { path: path(), edits: [{ old_text: "same", new_text: `same ${index}` }] });
      case 4:
        return callOf("read", { path: path() });
      case 5:
        return callOf("move", { from: path(), to: path(), overwrite: random(2) === 0 });
      case 6:
        return random(3) === 0
          ? callOf("delete", { path: pick(["new", "d/e", "link", "file-link"]), recursive: true })
          : callOf("delete", { path: path() });
      case 7:
        return random(2) === 0 ? callOf("list", { path: ".", depth: 4 }) : callOf("glob", { pattern: "**" });
      default:
        return random(2) === 0
          ? callOf("move", { from: pick(["link", "d", "new"]), to: pick(["link", "d", "new"]) })
          : callOf("grep", { pattern: "same", mode: "count" });
    }
  };
  const calls = Array.from({ length: CALLS }, (_, index) => make(index));
  for (let index = 0; index < COMMANDS; index++) {
    const command = pick([
      "ln -sfn d link",
      "ln -sf a.txt file-link",
      "mkdir -p d/e && echo same > d/e/c.txt",
      "cat a.txt",
    ]);
    calls[random(CALLS)] = callOf("bash", { command });
  }
  return calls;
}

function makeTree(): string {
  const root = makeRoot({ "a.txt": "same\n", "b.txt": "same\n", "d/a.txt": "same\n", "d/e/c.txt": "same\n" });
  symlinkSync("d", join(root, "link"));
  symlinkSync("a.txt", join(root, "file-link"));
  return root;
}

function treeOf(root: string, below = ""): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = below === "" ? name : `${below}/${name}`;
    const stats = lstatSync(join(root, path));
    if (path === ".haft") continue;
    if (stats.isSymbolicLink()) tree[path] = `-> ${readlinkSync(join(root, path))}`;
    else if (stats.isDirectory()) Object.assign(tree, { [path]: "directory" }, treeOf(root, path));
    else tree[path] = readFileSync(join(root, path), "utf8");
  }
  return tree;
}

/** What a call came to; hints for a missing path look at the whole tree and are nothing that a call claims. */
const tellOf = (call: Call | undefined, result: CallResult) =>
  `${call?.name} ${JSON.stringify(call?.args)}: ${result.isError ? result.refusal.code : result.content}`;

async function inOrder(session: LooseSession, calls: readonly Call[]): Promise<CallResult[]> {
  const results: CallResult[] = [];
  for (const call of calls) results.push(await session.call(call.name, call.args));
  return results;
}

it("500 mixed calls in random batches do what they do in order", async () => {
  const random = makeRandom(20_231);
  const calls = makeCalls(random);
  const roots = [makeTree(), makeTree()] as const;
  const options = { overwriteUnread: true, repeatNotice: false };
  const ordered = await inOrder(await open(roots[0], options), calls);
  const session = await open(roots[1], options);
  const batched: CallResult[] = [];
  for (let start = 0; start < calls.length; ) {
    const size = 1 + random(40);
    batched.push(...(await session.batch(calls.slice(start, start + size))));
    start += size;
  }
  expect(batched.map((result, index) => tellOf(calls[index], result))).toEqual(
    ordered.map((result, index) => tellOf(calls[index], result)),
  );
  expect(treeOf(roots[1])).toEqual(treeOf(roots[0]));
}, 120_000);

it("single calls made at once stand in the order in which they were made", async () => {
  const root = makeTree();
  const session = await open(root, { overwriteUnread: true });
  const made = [
    session.call("write", { path: "link/a.txt", content: "first\n" }),
    session.call("read", { path: "d/a.txt" }),
    session.call("delete", { path: "link" }),
    session.call("read", { path: "link/a.txt" }),
    session.call("bash", { command: "ln -s e d/back" }),
    session.call("write", { path: "d/back/new.txt", content: "through\n" }),
  ];
  const [wrote, read, deleted, missing, linked, through] = await Promise.all(made);
  for (const done of [wrote, read, deleted, linked, through]) expectDone(done ?? expect.fail());
  expect(read?.content).toContain("1\tfirst");
  expect(missing?.isError).toBe(true);
  expect(readFileSync(join(root, "d/e/new.txt"), "utf8")).toBe("through\n");
});

it("a path that an earlier call makes good is judged after that call", async () => {
  const root = makeRoot({ file: "in the way\n" });
  writeFileSync(join(root, "..", "outside.txt"), "outside\n");
  symlinkSync("../outside.txt", join(root, "out"));
  const session = await open(root, { overwriteUnread: true });
  const results = await session.batch([
    callOf("delete", { path: "file" }),
    callOf("write", { path: "file/below.txt", content: "x\n" }),
    callOf("delete", { path: "out" }),
    callOf("write", { path: "out", content: "inside\n" }),
  ]);
  for (const result of results) expectDone(result);
  expect(readFileSync(join(root, "..", "outside.txt"), "utf8")).toBe("outside\n");
});

it("permission looks at where a path leads once the calls before are done", async () => {
  const root = makeRoot({ "secret/a.txt": "secret\n", "open/a.txt": "open\n" });
  const session = await open(root, { rules: { deny: ["reads(secret/**)"] } });
  const [, read] = await session.batch([
    callOf("bash", { command: "ln -s secret way" }),
    callOf("read", { path: "way/a.txt" }),
  ]);
  expect(read).toMatchObject({ isError: true, refusal: { code: "permission-denied" } });
});

it("calls that touch different files run side by side", async () => {
  const root = makeRoot({ "a.txt": "one\n", "b.txt": "two\n" });
  let running = 0;
  let most = 0;
  const session = await open(root, {
    afterWrite: async () => {
      running += 1;
      most = Math.max(most, running);
      // Until both are here: alone it would never end.
      while (most < 2) await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
    },
  });
  const edit = (path: string, text: string) =>
    callOf("edit", { path, edits: [{ old_text: text, new_text: `${text}!` }] });
  for (const result of await session.batch([edit("a.txt", "one"), edit("b.txt", "two")])) expectDone(result);
  expect(most).toBe(2);
});

it("a call that waits for its turn is cancelled at once", async () => {
  const root = makeRoot({ "a.txt": "one\n" });
  const session = await open(root);
  const slow = session.call("bash", { command: "sleep 20" }, { id: "slow" });
  const cancel = new AbortController();
  const waiting = session.call("read", { path: "a.txt" }, { signal: cancel.signal, id: "waits" });
  cancel.abort();
  expect(await waiting).toMatchObject({ isError: true, refusal: { code: "call-cancelled" } });
  expect(session.ledger.find(`${session.id}/waits`)?.ended?.output.isError).toBe(true);
  await session.close();
  expect(await slow).toMatchObject({ isError: true });
});
