/**
 * Owns paths as models, shells, browsers and other systems write them, after public reports of file tools.
 * Rule: a path that means something else than its letters never makes a file under those letters.
 */
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openWorkspace } from "../support/workspace.ts";

const names = (at: ReturnType<typeof openWorkspace>) => at.bash("find . -mindepth 1 | sort");

afterEach(() => vi.unstubAllEnvs());

describe("a home directory in a path", () => {
  it.each(["~/x", "~", "$HOME/x", `\${HOME}/x`])(
    "W07 is not made as a folder of that name: %s",
    async (path) => {
      const at = openWorkspace("printf k > k");
      await at.refuses("write", { path, content: "x" }, "path-outside-root");
      await at.refuses("move", { from: "k", to: path }, "path-outside-root");
      await at.refuses("read", { path }, "path-outside-root");
      await at.refuses("list", { path }, "path-outside-root");
      expect(names(at)).toBe("./k\n");
    },
  );

  it("W10 is taken where it leads into the root", async () => {
    const at = openWorkspace("printf 'l1\\n' > f");
    vi.stubEnv("HOME", at.base);
    expect((await at.does("read", { path: "~/root/f" })).content).toContain("f: 1 line");
    await at.does("write", { path: "$HOME/root/new/g", content: "g\n" });
    expect(at.text("new/g")).toBe("g\n");
    await at.refuses("write", { path: "~/root/../h", content: "x" }, "path-outside-root");
    await at.refuses("write", { path: "~/root/.git/config", content: "x" }, "path-protected");
  });

  it("D02 is a name where the root holds it, so that such a folder can be looked at and deleted", async () => {
    const at = openWorkspace("mkdir '~'; printf 'x\\n' > '~/x'; printf 'o\\n' > ../keep");
    vi.stubEnv("HOME", at.base);
    expect((await at.does("read", { path: "~/x" })).content).toContain("~/x: 1 line");
    await at.does("delete", { path: "~", recursive: true });
    expect(names(at)).toBe("");
    expect(at.bash("cat ../keep")).toBe("o\n");
  });

  it("W07 is no home where another name begins with its sign", async () => {
    const at = openWorkspace("");
    for (const path of ["~tmp/x", "a/~", "$HOMES/x", "$id.tsx"])
      await at.does("write", { path, content: "x" });
    expect(at.text("$id.tsx")).toBe("x");
  });
});

describe("an address in the place of a path", () => {
  it("W10 is the file that it names inside the root, with its escapes", async () => {
    const at = openWorkspace("mkdir 'a b'; printf 'l1\\n' > 'a b/f#1'");
    const address = pathToFileURL(`${at.root}/a b/f#1`).href;
    expect((await at.does("read", { path: address })).content).toContain("a b/f#1: 1 line");
    await at.does("edit", { path: address, edits: [{ old_text: "l1", new_text: "l2" }] });
    expect(at.text("a b/f#1")).toBe("l2\n");
  });

  it("W09 is refused where it names anything else, and makes nothing", async () => {
    const at = openWorkspace("printf x > ../victim");
    await at.refuses("write", { path: `file://${at.base}/victim`, content: "y" }, "path-outside-root");
    await at.refuses("write", { path: `file://${at.root}/%2e%2e/victim`, content: "y" }, "path-outside-root");
    await at.refuses("write", { path: `file://${at.root}/a%00b`, content: "y" }, "path-invalid");
    await at.refuses("write", { path: `file://${at.root}/a%2Fb`, content: "y" }, "path-invalid");
    await at.refuses("write", { path: "https://example.invalid/a.ts", content: "y" }, "path-invalid");
    expect(names(at)).toBe("");
  });
});

describe("a new name that nobody means", () => {
  it.each([
    ["f\n", "control character"],
    ["src\new.ts", "control character"],
    ["a\tb", "control character"],
    ["f ", "blank"],
    [" src/f", "blank"],
    ['"src/f"', "quotes"],
    ["'f'", "quotes"],
    ["`f`", "quotes"],
    ['["f"]', "JSON"],
    ["<path>f</path>", "tag"],
    ["f</path>", "tag"],
    ["src\\f", "backslash"],
    ["..\\f", "backslash"],
    ["C:\\work\\f", "backslash"],
    ["C:/work/f", "drive"],
    ["new/", "directory"],
    ["new/.", "directory"],
  ])("W07 is refused by write, saying why: %j", async (path, why) => {
    const at = openWorkspace("mkdir src; printf k > k");
    const refused = await at.refuses("write", { path, content: "x" }, "path-invalid");
    expect(refused.content).toContain(why);
    await at.refuses("move", { from: "k", to: path }, "path-invalid");
    expect(names(at)).toBe("./k\n./src\n");
  });

  it("R19 is read, changed, moved away and deleted where it exists", async () => {
    const at = openWorkspace(
      `printf 'a\\n' > 'f '; printf 'a\\n' > '"q"'; printf 'a\\n' > 'x\\y'; printf 'a\\n' > $'n\\n'`,
    );
    for (const path of ["f ", '"q"', "x\\y", "n\n"]) {
      await at.does("read", { path });
      await at.does("write", { path, content: "b\n" });
      await at.does("edit", { path, edits: [{ old_text: "b", new_text: "c" }] });
    }
    await at.does("move", { from: "f ", to: "f" });
    await at.does("delete", { path: '"q"' });
    expect(at.text("f")).toBe("c\n");
    expect(at.text("x\\y")).toBe("c\n");
  });

  it("W01 is none where it is only unusual", async () => {
    const at = openWorkspace("");
    for (const path of [
      "a b/c d.txt",
      "app/[id]/page.tsx",
      "app/(grp)/[[...slug]].ts",
      "it's.md",
      "-dash",
      "a:1",
      "dev\\x2ddisk.mount",
      "#x#",
      "100%.txt",
      "été/日本.md",
      "a\u00a0b",
      "...",
    ]) {
      await at.does("write", { path, content: "x" });
      expect(at.text(path)).toBe("x");
    }
  });

  it("M01 is not given to a file that was to go into a directory", async () => {
    const at = openWorkspace("printf k > k; mkdir e d");
    const refused = await at.refuses("move", { from: "k", to: "e/" }, "path-invalid");
    expect(refused.content).toContain("e/k");
    await at.refuses("move", { from: "k", to: "deep/new/" }, "path-invalid");
    await at.does("move", { from: "d", to: "deep/new/" });
    expect(names(at)).toBe("./deep\n./deep/new\n./e\n./k\n");
  });
});

describe("a path that does not exist as it is written", () => {
  it.each([
    "SRC/Main.TS",
    "src\\main.ts",
    '"src/main.ts"',
    "@src/main.ts",
    "src/main.ts:12",
    "src/main.ts:12:3",
    "src/main.ts#L4-L9",
    "src/main.ts\n",
    "<path>src/main.ts</path>",
    '["src/main.ts"]',
    "root/src/main.ts",
    "C:\\work\\src\\main.ts",
  ])("R14 is answered with the one that was meant: %j", async (path) => {
    const at = openWorkspace("mkdir src; printf 'l1\\n' > src/main.ts");
    const refused = await at.refuses("read", { path }, "path-missing");
    expect(refused.content).toContain("Near spellings: src/main.ts");
  });

  it("W09 is answered with the path inside, where the root was taken for the top of the disk", async () => {
    const at = openWorkspace("mkdir src; printf 'l1\\n' > src/main.ts; printf x > ../main.ts");
    for (const path of ["/src/main.ts", "/workspace/app/src/main.ts", "/SRC/main.ts"]) {
      const refused = await at.refuses("read", { path }, "path-outside-root");
      expect(refused.content).toContain("There is src/main.ts.");
    }
    const outside = await at.refuses("read", { path: `${at.base}/main.ts` }, "path-outside-root");
    expect(outside.content).not.toContain("There is");
  });

  it("R14 names nothing where two names differ in their case alone, and nothing behind a link", async () => {
    const at = openWorkspace(
      "printf a > Read.me; printf b > READ.me; mkdir -p ../out/d; printf x > ../out/d/f; ln -s ../out o",
    );
    const both = await at.refuses("read", { path: "/read.ME" }, "path-outside-root");
    expect(both.content).not.toContain("There is");
    const linked = await at.refuses("read", { path: "/o/d/f" }, "path-outside-root");
    expect(linked.content).not.toContain("There is");
  });
});
