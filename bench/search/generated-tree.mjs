/**
 * Owns a stand-in for the kernel's source: a tree of source-like text of the same size and shape, from a fixed seed.
 * Leaves choosing it to trees.mjs. Rule: two runs make the same bytes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const TOP = ["mm", "ipc", "init", "certs", "usr", "virt", "fs", "include", "lib", "drivers", "arch", "sound"];
/** Files below each of them, in the same order. */
const FILES = [150, 15, 15, 10, 15, 20, 2100, 6300, 600, 46_000, 17_000, 6000];
const WORDS =
  "static int return struct void const if else for while unsigned long char buffer device driver probe register lock unlock list entry page node error value size count index flags state private data init exit".split(
    " ",
  );

export function generateTree(root) {
  const random = makeRandom(20_240_607);
  TOP.forEach((top, index) => {
    for (let file = 0; file < FILES[index]; file++) {
      const folder = join(root, top, ...(file < 8 ? [] : [`part${(file >> 4) % 97}`, `unit${file >> 4}`]));
      if (file % 16 === 0 || file < 9) mkdirSync(folder, { recursive: true });
      const ending = file % 4 === 0 ? "h" : file % 23 === 0 ? "ts" : "c";
      writeFileSync(
        join(folder, `file${file}.${ending}`),
        makeText(random, 2000 + Math.floor(random() * 28_000)),
      );
    }
  });
  writeFileSync(join(root, ".gitignore"), "*.o\n*.a\n*.ko\n*.mod\n/vmlinux\n!keep.o\n");
  return "a generated tree";
}

function makeText(random, bytes) {
  let text = "";
  while (text.length < bytes) {
    const words = 2 + Math.floor(random() * 9);
    let line = "\t".repeat(Math.floor(random() * 3));
    for (let i = 0; i < words; i++)
      line += `${WORDS[Math.floor(random() * WORDS.length)]}${random() < 0.2 ? Math.floor(random() * 1000) : ""} `;
    text += `${line}\n`;
  }
  return text;
}

/** A small linear congruential generator: no run differs from another. */
function makeRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
