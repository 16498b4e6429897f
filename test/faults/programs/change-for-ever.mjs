// Replaces and moves files below a root until it is killed. Arguments: the built haft, the root, and `rename` or `copy`.
// Says "ready" once it is at it.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , dist, directory, way] = process.argv;
const load = (file) => import(pathToFileURL(join(dist, "root", file)));
const { nodeDisk } = await load("disk.js");
const { openRoot } = await load("open-root.js");
const { locate } = await load("resolve.js");
const { replaceFile } = await load("replace-file.js");
const { moveEntry } = await load("move-entry.js");

const acrossDisk = {
  ...nodeDisk,
  rename: async (from, to) => {
    if (!String(from).split("/").at(-1).startsWith(".haft-"))
      throw Object.assign(new Error(), { code: "EXDEV" });
    await nodeDisk.rename(from, to);
  },
};
const root = openRoot({ root: directory, disk: way === "copy" ? acrossDisk : nodeDisk });
const { signal } = new AbortController();
const place = (path) => locate(root, { path, link: "itself", mustExist: false });
const must = (result) => {
  if (result.kind === "refusal") throw new Error(JSON.stringify(result));
};

// Writes carry one letter through the whole file, so that a mixture of two is seen.
for (let round = 0; ; round++) {
  const letter = String.fromCharCode(97 + (round % 26));
  const pieces = [Buffer.alloc(150_000, letter), Buffer.alloc(150_000, letter)];
  must(await replaceFile({ root, place: await place("d/f"), pieces, expected: "any", signal }));
  const [from, to] = round % 2 === 0 ? ["here", "there"] : ["there", "here"];
  for (const name of ["file", "tree"]) {
    const ends = { from: await place(`${from}/${name}`), to: await place(`${to}/${name}`) };
    must(await moveEntry({ root, ...ends, overwrite: false, signal }));
  }
  if (round === 1) process.stdout.write("ready\n");
}
