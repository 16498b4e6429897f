/**
 * Owns the benchmarks of the file tools: a far line of a large log against `sed`, an edit in a large file
 * against reading, replacing and writing it as strings, the first lines of a huge file in little memory.
 * Run: npm run bench:files (needs 2 GiB free in the temporary directory).
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mount } from "../dist/index.js";
import { measureRatio, report } from "./measure.mjs";

const MARKED_LINE = "export const marked = measure(edits);";
const root = mkdtempSync(join(tmpdir(), "haft-bench-"));
try {
  await benchFarLine();
  await benchLargeEdit();
  await benchHugeFile();
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function benchFarLine() {
  const log = join(root, "big.log");
  await writeLog(log, 1_073_741_824);
  const tools = mount({ root });
  const peak = watchMemory();
  const first = 5_000_000;
  const range = { path: "big.log", offset: first, limit: 100 };
  const result = await measureRatio({
    rounds: 5,
    ours: async () => expectOk(await tools.call("read", range), `${first}\tline ${first} `),
    theirs: async () => execFileSync("sed", ["-n", `${first},${first + 99}p;${first + 99}q`, log]),
  });
  report({ name: "100 lines at line 5,000,000 of a 1 GiB log, against sed", bound: 1.5, ...result });
  console.log(`     memory grew by ${peak()} MB`);
  await tools.close();
  rmSync(log);
}

async function writeLog(path, size) {
  const stream = createWriteStream(path);
  let line = 1;
  for (let bytes = 0; bytes < size; ) {
    let block = "";
    for (let i = 0; i < 20_000; i++, line++)
      block += `line ${line} GET /index/${line % 977}/page.html 200 ${line % 5003} Mozilla/5.0 of some agent with words\n`;
    bytes += block.length;
    if (!stream.write(block)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "finish");
}

async function benchLargeEdit() {
  const file = join(root, "large.txt");
  const text = sourceText(10_000_000);
  writeFileSync(file, text);
  const tools = mount({ root });
  const [old, fresh] = [MARKED_LINE, MARKED_LINE.replace("marked", "renamed")];
  const { open, readFile, rename } = await import("node:fs/promises");
  const result = await measureRatio({
    rounds: 9,
    prepare: async () => writeFileSync(file, text),
    ours: async () =>
      expectOk(
        await tools.call("edit", { path: "large.txt", edits: [{ old_text: old, new_text: fresh }] }),
        "large.txt: 1 edit",
      ),
    theirs: async () => {
      const before = await readFile(file, "utf8");
      const handle = await open(`${file}.tmp`, "w");
      await handle.writeFile(
        before.replace(old, () => fresh),
        "utf8",
      );
      await handle.sync();
      await handle.close();
      await rename(`${file}.tmp`, file);
    },
  });
  report({
    name: `one edit in a file of ${(text.length / 1e6).toFixed(1)} MB, against strings`,
    bound: 0.6,
    ...result,
  });
  if (readFileSync(file, "utf8") !== text.replace(old, () => fresh)) throw new Error("the edit is wrong");
  await tools.close();
}

/** Real source, repeated to the size asked for, with one line of its own three quarters of the way. */
function sourceText(size) {
  const sources = ["zod/v4/core/schemas.js", "zod/v4/classic/schemas.js", "diff/libesm/patch/apply.js"].map(
    (name) => readFileSync(new URL(`../node_modules/${name}`, import.meta.url), "utf8"),
  );
  const block = sources.join("\n");
  const times = Math.ceil(size / block.length);
  return Array.from({ length: times }, (_, i) =>
    i === Math.floor(times * 0.75) ? `${MARKED_LINE}\n${block}` : block,
  ).join("\n");
}

async function benchHugeFile() {
  const file = join(root, "huge.log");
  writeFileSync(file, Array.from({ length: 100 }, (_, i) => `${i + 1}\n`).join(""));
  truncateSync(file, 3 * 1024 ** 3);
  const tools = mount({ root });
  const peak = watchMemory();
  expectOk(await tools.call("read", { path: "huge.log", limit: 5 }), "1\t1\n2\t2\n");
  console.log(`     5 lines of a 3 GiB file: memory grew by ${peak()} MB (bound 100)`);
  await tools.close();
}

function watchMemory() {
  globalThis.gc?.();
  const start = process.memoryUsage().rss;
  let peak = start;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  return () => {
    clearInterval(timer);
    return Math.round((Math.max(peak, process.memoryUsage().rss) - start) / 1e6);
  };
}

function expectOk(output, part) {
  if (output.isError || !output.content.includes(part)) throw new Error(output.content.slice(0, 300));
}
