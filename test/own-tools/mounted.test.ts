/**
 * Owns what a host may count on where it mounts tools of its own. Leaves permission and the ledger to sessions.test.ts.
 * Rule: through the public surface alone.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { defineTool, files, mount, OptionsError } from "../../src/index.ts";
import { countWords, makeRoot, shout, tickets } from "./own-tools.ts";

const silent = { description: "A test.", input: z.object({}), access: () => ({}) };

describe("tools of a host's own", () => {
  it("come behind haft's, in the order in which they are named, under the prefix", () => {
    const tools = mount({ root: makeRoot(), tools: [tickets, "grep", countWords, "read"], prefix: "x_" });
    expect(tools.names()).toEqual(["x_read", "x_grep", "x_tickets", "x_count_words"]);
    expect(tools.definitions().at(-1)).toEqual({
      name: "x_count_words",
      description: "Counts the words of a file.",
      inputSchema: {
        type: "object",
        properties: {
          path: { type: "string", description: "The file." },
          least: { type: "integer", minimum: 1 },
        },
        required: ["path"],
        additionalProperties: false,
      },
      annotations: {
        title: "Count words",
        readOnlyHint: true,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
      alwaysLoaded: false,
    });
  });

  it("are typed by their names, and stand in the file preset too", async () => {
    const tools = files({ root: makeRoot(), tools: ["read", countWords] });
    const counted = await tools.call("file_count_words", { path: "notes.txt", least: 4 });
    if (counted.isError) expect.fail(counted.content);
    const count: number = counted.details.count;
    expect([count, counted.content]).toEqual([1, "notes.txt: 1 words"]);
  });

  it("get their arguments repaired, under other names too, and refused with all that is wrong", async () => {
    const tools = mount({ root: makeRoot(), tools: [countWords, shout] });
    const repaired = await tools.call("count_words", "```json\n{'file_path': 'notes.txt', least: '2'}\n```");
    expect(repaired.content).toBe("notes.txt: 3 words");
    const refused = await tools.call("shout", '{"pth":"notes.txt","dry_run":true}');
    expect(refused.content).toBe(
      "shout: pth is not an argument here; did you mean path?; dry_run is not an argument here; path is required. Nothing was changed. It takes path.",
    );
    const unknown = await tools.call("count_word", {});
    expect(unknown.content).toContain("did you mean count_words?");
  });

  it("reach nothing outside of the root, and no protected file", async () => {
    const root = makeRoot();
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, ".git", "config"), "[core]\n");
    symlinkSync("/etc", join(root, "out"));
    const tools = mount({ root, tools: [countWords, shout] });
    for (const path of ["../x", "/etc/hosts", "out/hosts"]) {
      const output = await tools.call("count_words", { path });
      expect(output.isError && output.refusal.code, path).toBe("path-outside-root");
    }
    const guarded = await tools.call("shout", { path: ".git/config" });
    expect(guarded.isError && guarded.refusal.code).toBe("path-protected");
    expect(readFileSync(join(root, ".git", "config"), "utf8")).toBe("[core]\n");
  });

  it("change files in one step, and the host is told which", async () => {
    const root = makeRoot();
    const changed: string[] = [];
    const afterWrite = (paths: readonly string[]) => void changed.push(...paths);
    const tools = mount({ root, tools: ["read", "write", shout], afterWrite });
    await tools.call("read", { path: "notes.txt" });
    expect((await tools.call("shout", { path: "notes.txt" })).content).toBe("notes.txt: shouted");
    expect(readFileSync(join(root, "notes.txt"), "utf8")).toBe("ONE TWO\nTHREE\n");
    expect(changed).toEqual(["notes.txt"]);
    // What the model was shown is no longer what stands there.
    const overwritten = await tools.call("write", { path: "notes.txt", content: "x\n" });
    expect(overwritten.isError && overwritten.refusal.code).toBe("file-changed");
  });

  it("say in their own words what they could not do, and are told apart from faults", async () => {
    const tools = mount({ root: makeRoot(), tools: [tickets], prefix: "p_" });
    const refused = await tools.call("p_tickets", { id: 7 });
    expect(refused).toMatchObject({ isError: true, refusal: { code: "tool-failed" } });
    expect(refused.content).toBe('No ticket 7. p_tickets {"id":1} shows one.');
    expect(await tools.dispatch("p_tickets", { id: 7 })).toMatch(/^ERROR: No ticket 7/);
  });
});

describe("a tool that is wrong at run time", () => {
  const tool = (run: () => Promise<unknown>) =>
    defineTool({ ...silent, name: "wrong", run: run as () => Promise<{ content: string; details: object }> });

  it.each([
    ["throws", async () => Promise.reject(new Error("the store is shut")), "the store is shut"],
    ["gives nothing", async () => undefined, "the tool gave no result: expected an object"],
    ["gives no text", async () => ({ content: 5 }), "expected content, a string"],
    [
      "gives what is no image",
      async () => ({ content: "x", images: ["data"] }),
      "expected images, each { mediaType, base64, width, height }",
    ],
    [
      "gives a refusal of no known code",
      async () => ({ kind: "refusal", code: "no-such", facts: {} }),
      "wrong failed",
    ],
  ])("and %s is a fault, told in one line", async (_what, run, words) => {
    const output = await mount({ root: makeRoot(), tools: [tool(run)] }).call("wrong", {});
    expect(output).toMatchObject({ isError: true, refusal: { code: "fault" } });
    expect(output.content).toContain(words);
    expect(output.content).not.toContain("\n");
  });

  it("and gives half a character leaves none", async () => {
    const half = tool(async () => ({ content: "a\ud800b", details: {} }));
    const { content } = await mount({ root: makeRoot(), tools: [half] }).call("wrong", {});
    expect(content.isWellFormed()).toBe(true);
  });

  it("and writes what it has not declared, or declares a change that it denies, is a fault", async () => {
    const input = z.object({ path: z.string() });
    const run = async (
      _: unknown,
      { files }: { files: { write(a: string, b: string): Promise<unknown> } },
    ) => {
      await files.write("path", "x");
      return { content: "wrote", details: {} };
    };
    const reads = defineTool({
      ...{ name: "sly", description: "Reads.", annotations: { readOnlyHint: true }, input, run },
      access: ({ path }) => ({ paths: [{ argument: "path", path, effect: "reads" }] }),
    });
    const denies = defineTool({
      ...{ name: "bold", description: "Reads.", annotations: { readOnlyHint: true }, input, run },
      access: ({ path }) => ({ paths: [{ argument: "path", path, effect: "writes" }] }),
    });
    const root = makeRoot();
    const tools = mount({ root, tools: [reads, denies] });
    for (const [name, words] of [
      ["sly", "does not declare that it writes path"],
      ["bold", "says that it changes nothing, and declares a change"],
    ] as const) {
      const output = await tools.call(name, { path: "notes.txt" });
      expect(output).toMatchObject({ isError: true, refusal: { code: "fault" } });
      expect(output.content).toContain(words);
    }
    expect(readFileSync(join(root, "notes.txt"), "utf8")).toBe("one two\nthree\n");
  });

  it("and does not end when it is cancelled is not waited for", async () => {
    const forever = tool(() => new Promise(() => {}));
    const tools = mount({ root: makeRoot(), tools: [forever] });
    const cancel = new AbortController();
    const output = tools.call("wrong", {}, { signal: cancel.signal });
    setTimeout(() => cancel.abort(), 20);
    expect(await output).toMatchObject({ isError: true, refusal: { code: "call-cancelled" } });
  });
});

describe("what cannot be mounted throws at once", () => {
  const one = () => defineTool({ ...silent, name: "one", run: async () => ({ content: "1", details: {} }) });

  it.each([
    ["two tools of one name", [one(), one()], "tools of different names"],
    ["a tool that defineTool did not make", [{ ...one() }], "tools as defineTool makes them"],
    ["neither a name nor a tool", ["read", 5], "an array of names"],
    ["an own tool by its name alone", ["one"], "names among"],
    ["no list", one(), "an array of names"],
  ])("%s", (_what, tools, words) => {
    const mounting = () => mount({ root: makeRoot(), tools: tools as never });
    expect(mounting).toThrow(OptionsError);
    expect(mounting).toThrow(words);
  });

  it("but the same tool twice is mounted once", () => {
    const tool = one();
    expect(mount({ root: makeRoot(), tools: [tool, tool] }).names()).toEqual(["one"]);
  });

  it("and a prefix too long for an own name is told", () => {
    expect(() => mount({ root: makeRoot(), tools: [countWords], prefix: "p".repeat(54) })).toThrow(/prefix/);
  });

  it("readOnly keeps those that say that they change nothing", () => {
    const tools = mount({
      root: makeRoot(),
      tools: ["read", "write", countWords, shout, tickets],
      readOnly: true,
    });
    expect(tools.names()).toEqual(["read", "count_words"]);
  });

  it("what a tool keeps is let go when its toolset closes", async () => {
    let released = 0;
    const keeper = defineTool({
      ...{ ...silent, name: "keeper", run: async () => ({ content: "kept", details: {} }) },
      async release() {
        released += 1;
      },
    });
    const tools = mount({ root: makeRoot(), tools: [keeper] });
    onTestFinished(() => tools.close());
    await tools.close();
    expect(released).toBe(1);
  });
});
