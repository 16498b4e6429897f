/**
 * Owns the public bug reports about what a command prints, and variations of each, on a real bash: how much of it is
 * kept, where it is cut, and what is made readable. Leaves how commands end to bash.test.ts.
 * Rule: no character is split, no escape is left, and what was done to the output is said.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectRefusal, type Output } from "../support/loose-toolset.ts";
import { openWorkspace, type Workspace } from "../support/workspace.ts";

const open = (fixture = "", options: Readonly<Record<string, unknown>> = {}): Workspace =>
  openWorkspace(fixture, { tools: ["bash", "jobs"], ...options });

const firstLine = (output: Output): string => output.content.split("\n", 1)[0] ?? "";

describe("sections", () => {
  it("tell the streams apart, each without its last line break", async () => {
    const at = open();
    const output = await at.does("bash", { command: "echo out; echo err >&2; printf 'no break' >&2" });
    expect(output.content).toBe("exit code 0\n[stdout]\nout\n[stderr]\nerr\nno break");
    expect(output.details).toMatchObject({ stdout: { seen: 4, kept: 4 }, stderr: { seen: 12, kept: 12 } });
  });

  it("keep empty lines and blanks", async () => {
    const output = await open().does("bash", { command: "printf '\\n  a \\n\\n'" });
    expect(output.content).toBe("exit code 0\n[stdout]\n\n  a \n");
  });
});

describe("a stream over its cap", () => {
  it.each([0, 1, 2])("B07 is cut between characters: %i letters before three-byte characters", async (k) => {
    const at = open();
    writeFileSync(join(at.root, "text"), `${"a".repeat(k)}${"字".repeat(400_000)}\n`);
    const output = await at.does("bash", { command: "cat text" });
    expect(output.content).not.toContain("\ufffd");
    expect(firstLine(output)).toBe("exit code 0; stdout 1.2 MB, 1 MiB kept");
    expect(output.content).toMatch(/\n\[… [\d,]+ bytes of this line left out …\]\n/);
    expect(output.content.replace(/^.*\n.*\n/, "").replace(/\n\[….*…\]\n/, "")).toMatch(/^a*字+$/u);
    expect(output.notes).toEqual([]);
  });

  it.each([0, 1, 2, 3])(
    "B07 is cut between characters: %i letters before four-byte characters, small cap",
    async (k) => {
      const at = open("", { limits: { bashMax: 1_001 } });
      writeFileSync(join(at.root, "text"), `${"a".repeat(k)}${"😀".repeat(1_000)}`);
      const output = await at.does("bash", { command: "cat text >&2" });
      expect(firstLine(output)).toBe(
        "exit code 0; stderr 4003 bytes, 1001 bytes kept".replace("4003", String(4_000 + k)),
      );
      expect(output.content).not.toContain("\ufffd");
      expect(output.notes).toEqual([]);
    },
  );

  it("is cut between lines where these are short, and the lines left out are counted", async () => {
    const at = open("", { limits: { bashMax: 10_000 } });
    const output = await at.does("bash", { command: "seq 1 100000" });
    const lines = output.content.split("\n");
    expect(lines.slice(0, 3)).toEqual(["exit code 0; stdout 588.9 kB, 10000 bytes kept", "[stdout]", "1"]);
    const gap = lines.findIndex((line) => line.startsWith("[…"));
    const [, omitted] = /^\[… ([\d,]+) lines \([\d,]+ bytes\) left out …\]$/.exec(lines[gap] ?? "") ?? [];
    const before = Number(lines[gap - 1]);
    const after = Number(lines[gap + 1]);
    expect(after - before - 1).toBe(Number(omitted?.replaceAll(",", "")));
    expect(lines.at(-1)).toBe("100000");
    const { seen, kept } = output.details.stdout as { seen: number; kept: number };
    expect(seen).toBe(588_895);
    expect(kept).toBeLessThanOrEqual(10_000);
  });

  it.each(["", ">&2"])(
    "B08 costs no memory, and its ends and the status are kept: 700 MB %s",
    async (where) => {
      const at = open();
      await at.does("bash", { command: "true" });
      const before = process.memoryUsage().rss;
      const command = `{ echo first; yes | head -c 700000000; echo; echo last; } ${where}; exit 3`;
      const output = expectRefusal(await at.call("bash", { command, timeout_ms: 120_000 }), "command-failed");
      const stream = where === "" ? "stdout" : "stderr";
      expect(firstLine(output)).toBe(`exit code 3; ${stream} 700.0 MB, 1 MiB kept`);
      expect(output.content).toContain(`[${stream}]\nfirst\ny\n`);
      expect(output.content.endsWith("\nlast")).toBe(true);
      expect(output.content.length).toBeLessThan(1_100_000);
      expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    },
    150_000,
  );

  it("B08 is bounded for each stream by itself", async () => {
    const at = open("", { limits: { bashMax: 65_536 } });
    const output = await at.does("bash", { command: "yes o | head -c 1000000; yes e | head -c 2000000 >&2" });
    expect(firstLine(output)).toBe("exit code 0; stdout 1.0 MB, 64 KiB kept; stderr 2.0 MB, 64 KiB kept");
  });

  it("tells nothing of a cut where all fits exactly", async () => {
    const at = open("", { limits: { bashMax: 1_000 } });
    const output = await at.does("bash", { command: "head -c 1000 /dev/zero | tr '\\0' x" });
    expect(output.content).toBe(`exit code 0\n[stdout]\n${"x".repeat(1_000)}`);
  });
});

describe("what a terminal would have shown (B17)", () => {
  it("is the last frame of a progress line, and colours are gone, and both are said", async () => {
    const command = `for i in $(seq 1 2000); do printf '\\rstep %d/2000' $i; done; echo; printf '\\033[31mred\\033[0m\\n'`;
    const output = await open().does("bash", { command });
    expect(output.content).toBe(
      "exit code 0\n[stdout]\nstep 2000/2000\nred\n[note] output folded: colours and other terminal sequences are left out; 1 redrawn line is shown as it last stood",
    );
    expect(output.notes).toMatchObject([{ code: "output-folded" }]);
  });

  it.each([
    [
      "a bar erased and redrawn on standard error",
      "printf 'a 1\\r\\033[Ka 2\\r\\033[Kdone\\n' >&2",
      "[stderr]\ndone",
    ],
    ["a spinner of backspaces", "printf 'x |\\b/\\b-\\bok\\n'", "[stdout]\nx ok"],
    [
      "several lines redrawn",
      "printf 'a 0\\nb 0\\n\\033[2A\\033[2Ka 9\\n\\033[2Kb 9\\n'",
      "[stdout]\na 9\nb 9",
    ],
    [
      "a title and a link",
      "printf '\\033]0;t\\007\\033]8;;http://x\\033\\\\here\\033]8;;\\033\\\\\\n'",
      "[stdout]\nhere",
    ],
    ["a sequence without an end", "printf 'text\\033['", "[stdout]\ntext"],
    ["a cursor that is hidden", "printf '\\033[?25lwait\\033[?25h\\n'", "[stdout]\nwait"],
    ["a line that ends with its return", "printf '10%%\\r100%%\\r'", "[stdout]\n100%"],
  ])("is shown of %s", async (_about, command, body) => {
    const output = await open().does("bash", { command });
    expect(output.content.startsWith(`exit code 0\n${body}\n[note] output folded: `)).toBe(true);
    expect(output.content).not.toContain("\x1b");
  });

  it("is the same for CRLF, which is no folding", async () => {
    const output = await open().does("bash", { command: "printf 'a\\r\\nb\\r\\n'" });
    expect(output.content).toBe("exit code 0\n[stdout]\na\nb");
  });

  it("shows a NUL and other controls as symbols", async () => {
    const output = await open().does("bash", { command: "printf 'a\\0b\\007\\f\\n'" });
    expect(output.content).toContain(
      "[stdout]\na␀b␌\n[note] output folded: control characters are shown as symbols",
    );
  });

  it("is nothing where only colours were printed", async () => {
    const output = await open().does("bash", { command: "printf '\\033[0m'" });
    expect(output.content).toMatch(/^exit code 0\n\(no output\)\n\[note\] output folded/);
  });
});

describe("bytes that are no UTF-8", () => {
  it.each([
    ["a stray byte", "printf 'caf\\351\\n'", "café", "first bad byte at offset 3"],
    ["a character cut off", "printf 'a\\345\\255'", "aå­", "first bad byte at offset 1"],
    [
      "a byte that is no character",
      "printf 'before \\220 after\\nline2\\n'",
      "before <U+0090> after\nline2",
      "offset 7",
    ],
    [
      "a few characters of Shift_JIS",
      "printf '\\223\\372\\226\\173\\220\\274\\227\\357 ok'",
      "“ú–{<U+0090>¼—ï ok",
      "offset 0",
    ],
    [
      "Japanese in Shift_JIS",
      "for i in 1 2 3; do printf '\\202\\261\\202\\352\\202\\315\\223\\372\\226\\173\\214\\352\\202\\314\\203\\145\\203\\130\\203\\147\\202\\305\\202\\267\\201\\102\\012\\220\\335\\222\\350\\203\\164\\203\\100\\203\\103\\203\\213\\202\\360\\223\\307\\202\\335\\215\\236\\202\\335\\202\\334\\202\\267\\201\\102\\012'; done",
      "これは日本語のテストです。",
      "shown as shift_jis",
    ],
  ])("are shown, and that is said: %s", async (_about, command, text, note) => {
    const output = await open().does("bash", { command });
    expect(output.content).toContain(`[stdout]\n${text}`);
    expect(output.content).toContain(note);
    expect(output.content).not.toContain("\ufffd");
  });

  it("leave out a byte order mark, and read UTF-16 by it", async () => {
    const at = open();
    expect((await at.does("bash", { command: "printf '\\357\\273\\277a\\n'" })).content).toBe(
      "exit code 0\n[stdout]\na",
    );
    const wide = await at.does("bash", { command: "printf '\\377\\376a\\0\\n\\0'" });
    expect(wide.content).toContain("[stdout]\na\n[note] stdout shown as utf-16le");
  });

  it("never make ill-formed text, whatever they are and wherever they are cut", async () => {
    const at = open("", { limits: { bashMax: 300 } });
    const file = join(at.root, "bytes");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 1_000 }), async (bytes) => {
        writeFileSync(file, bytes);
        const output = await at.does("bash", { command: "cat bytes" });
        expect(output.content.isWellFormed()).toBe(true);
        expect(output.content).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      }),
      { numRuns: process.env.HAFT_LONG === undefined ? 60 : 3_000 },
    );
  }, 300_000);
});

describe("progress", () => {
  it("reaches the host while the command runs", async () => {
    const at = open();
    const told: { text: string; atMs: number }[] = [];
    const started = performance.now();
    const command = "for i in 1 2 3 4 5 6; do echo step $i; sleep 0.5; done";
    await at.tools.call(
      "bash",
      { command },
      {
        onProgress: (text) => void told.push({ text, atMs: performance.now() - started }),
      },
    );
    const ended = performance.now() - started;
    expect(told.map(({ text }) => text).join("")).toContain("step 1");
    expect(told[0]?.atMs).toBeLessThan(ended - 500);
  });
});
