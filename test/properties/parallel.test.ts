/**
 * Owns what happens when calls on one file run side by side: no update is lost, by whatever spelling.
 * Leaves the lock itself to root/. Rule: many rounds, and the content is the judge, never the answers alone.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectSuccess, mountLoosely } from "../support/loose-toolset.ts";
import { openWorkspace } from "../support/workspace.ts";

const edits = (old_text: string, new_text: string) => [{ old_text, new_text }];

describe("edits of one file side by side", () => {
  const SPELLINGS: readonly ((root: string) => string)[] = [
    () => "./n.txt",
    (root) => join(root, "n.txt"),
    () => "link.txt",
    () => "d/../n.txt",
    () => "loop/n.txt",
    () => "d//..//./n.txt",
  ];

  it("E28 keeps both edits every time, in 50 rounds, with a write of another file among them", {
    timeout: 120_000,
  }, async () => {
    const at = openWorkspace("mkdir d; ln -s n.txt link.txt; ln -s . loop");
    for (let round = 0; round < 50; round++) {
      at.bash("seq 1 60 > n.txt");
      const other = SPELLINGS[round % SPELLINGS.length] ?? (() => "n.txt");
      const done = await Promise.all([
        at.call("edit", { path: "n.txt", edits: edits("\n20\n", "\nTWENTY\n") }),
        at.call("write", { path: `other-${round}.txt`, content: `${round}\n` }),
        at.call("edit", { path: other(at.root), edits: edits("\n41\n", "\nFORTYONE\n") }),
      ]);
      for (const output of done) expectSuccess(output);
      const lines = at.text("n.txt").split("\n");
      expect(lines.length, `round ${round}`).toBe(61);
      expect([lines[19], lines[40], lines[59], lines[60]]).toEqual(["TWENTY", "FORTYONE", "60", ""]);
      expect(at.text(`other-${round}.txt`)).toBe(`${round}\n`);
    }
  });

  it("E28 keeps 40 edits of 40 lines through all spellings at once, in two toolsets", {
    timeout: 60_000,
  }, async () => {
    const at = openWorkspace("mkdir d; seq 100 139 > n.txt; ln -s n.txt link.txt; ln -s . loop");
    const second = mountLoosely(at.root);
    const calls = Array.from({ length: 40 }, (_, i) => {
      const path = SPELLINGS[i % SPELLINGS.length]?.(at.root);
      const tools = i % 2 === 0 ? at.tools : second;
      return tools.call("edit", { path, edits: edits(`${100 + i}\n`, `line ${i}\n`) });
    });
    for (const output of await Promise.all(calls)) expectSuccess(output);
    expect(at.text("n.txt")).toBe(`${Array.from({ length: 40 }, (_, i) => `line ${i}`).join("\n")}\n`);
    await second.close();
  });

  it("E28 lets one of many creating writes be first, and leaves one whole content", {
    timeout: 60_000,
  }, async () => {
    const at = openWorkspace("");
    for (let round = 0; round < 20; round++) {
      const path = `made-${round}/f`;
      const contents = Array.from({ length: 8 }, (_, i) => `${String(i).repeat(10_000)}\n`);
      const tools = contents.map(() => at.mountAgain());
      const outputs = await Promise.all(
        contents.map((content, i) => tools[i]?.call("write", { path, content })),
      );
      const succeeded = outputs.flatMap((output, i) => (output?.isError === false ? [contents[i]] : []));
      expect(succeeded, "a file that another toolset made is not known").toHaveLength(1);
      expect(at.text(path)).toBe(succeeded[0]);
    }
  });

  it("E28 orders edits with moves and deletes of the file and of its directory", {
    timeout: 60_000,
  }, async () => {
    const at = openWorkspace("");
    for (let round = 0; round < 30; round++) {
      at.bash("rm -rf d e; mkdir d; seq 1 2000 > d/n.txt");
      const outputs = await Promise.all([
        at.call("edit", { path: "d/n.txt", edits: edits("\n1000\n", "\nMIDDLE\n") }),
        at.call("move", { from: "d", to: "e" }),
        at.call("edit", { path: "e/n.txt", edits: edits("\n1001\n", "\nAFTER\n") }),
      ]);
      for (const output of outputs)
        if (output.isError) expect(output.refusal.code, output.content).not.toBe("fault");
      expectSuccess(outputs[1] ?? expect.fail("no move"));
      const text = at.text("e/n.txt");
      expect(
        at
          .bash("ls -A")
          .split("\n")
          .filter((name) => !name.startsWith("other"))
          .join(" ")
          .trim(),
      ).toBe("e");
      expect(text.split("\n").length).toBe(2001);
      expect(text.includes("MIDDLE")).toBe(outputs[0]?.isError === false);
      expect(text.includes("AFTER")).toBe(outputs[2]?.isError === false);
    }
  });

  it("E28 gives a reader the old or the new text, never a part", { timeout: 60_000 }, async () => {
    const at = openWorkspace("seq 1 3000 > n.txt");
    for (let round = 0; round < 30; round++) {
      const from = round === 0 ? "\n2999\n" : `\nround ${round - 1}\n`;
      const [edited, ...reads] = await Promise.all([
        at.call("edit", { path: "n.txt", edits: edits(from, `\nround ${round}\n`) }),
        ...Array.from({ length: 4 }, () => at.call("read", { path: "n.txt", offset: 2998, limit: 5 })),
      ]);
      expectSuccess(edited);
      for (const read of reads) {
        const rows = expectSuccess(read)
          .content.split("\n")
          .filter((row) => /^\d+\t/.test(row));
        expect(rows).toHaveLength(3);
        expect(rows[2]).toBe("3000\t3000");
      }
    }
  });
});

describe("cancelling", () => {
  it("answers at once when the signal is already aborted, and changes nothing", async () => {
    const at = openWorkspace("seq 1 60 > n.txt");
    const before = at.text("n.txt");
    for (const [name, args] of [
      ["read", { path: "n.txt" }],
      ["edit", { path: "n.txt", edits: edits("\n20\n", "\nx\n") }],
      ["write", { path: "new", content: "x" }],
      ["delete", { path: "n.txt" }],
      ["move", { from: "n.txt", to: "m.txt" }],
    ] as const) {
      const output = await at.tools.call(name, args, { signal: AbortSignal.abort() });
      expect(output.isError && output.refusal.code, name).toBe("call-cancelled");
    }
    expect(at.text("n.txt")).toBe(before);
    expect(at.bash("ls -A")).toBe("n.txt\n");
  });

  it("lets those who wait for a lock go when they are cancelled, and the others go on", async () => {
    const at = openWorkspace("seq 1 60 > n.txt");
    const controller = new AbortController();
    const calls = Array.from({ length: 20 }, (_, i) =>
      at.tools.call(
        "edit",
        { path: "n.txt", edits: edits(`\n${20 + i}\n`, `\nline ${20 + i}\n`) },
        i % 2 === 0 ? {} : { signal: controller.signal },
      ),
    );
    controller.abort();
    const outputs = await Promise.all(calls);
    const text = at.text("n.txt");
    for (const [i, output] of outputs.entries()) {
      if (i % 2 === 0) expectSuccess(output);
      expect(text.includes(`\nline ${20 + i}\n`), `edit ${i}`).toBe(!output.isError);
    }
    expect(at.bash("ls -A")).toBe("n.txt\n");
  });
});
