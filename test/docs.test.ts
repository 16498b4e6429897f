/**
 * Owns that the documents tell the truth: every command, snippet, configuration and link of them works.
 * Leaves the generated pages to `npm run docs`. Rule: what is checked is what stands in the document, not a copy.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TOOL_NAMES } from "../src/tools/catalog.ts";

const repository = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(repository, path), "utf8");

/** The fenced blocks of one language in a document. */
function blocksOf(document: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...read(document).matchAll(fence)].map((match) => match[1] ?? "");
}

/** The commands of a document's shell blocks, without what stands behind `#`. */
function commandsOf(document: string): string[] {
  return blocksOf(document, "sh")
    .flatMap((block) => block.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
}

const work = join(repository, ".examples");

describe("the examples and the snippets of the README", () => {
  beforeAll(() => {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(join(work, "snippets"), { recursive: true });
    for (const [index, snippet] of blocksOf("README.md", "ts").entries()) {
      writeFileSync(join(work, "snippets", `readme-${index + 1}.ts`), snippet);
    }
    const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
    const built = spawnSync(process.execPath, [tsc, "-p", "examples/tsconfig.json"], {
      cwd: repository,
      encoding: "utf8",
    });
    expect(built.stdout).toBe("");
  }, 120_000);

  const run = (path: string): string => {
    const done = spawnSync(process.execPath, [join(work, "built", path)], {
      cwd: repository,
      encoding: "utf8",
    });
    expect(done.stderr).toBe("");
    return done.stdout;
  };

  it("mount the file tools beside a host's own, as the founding document shows", () => {
    expect(run("examples/mount-files.js")).toBe("5\nhello.txt: 2 lines\n1\thello\n2\tworld\n");
  });

  it("mount a tool of the host's own beside haft's", () => {
    const [bumped, refused, denied, ...read] = run("examples/own-tool.js").split("\n");
    expect(bumped).toBe("package.json: 1.2.3 → 1.3.0");
    expect(refused).toBe('empty.json has no "version" of three numbers. Nothing was changed.');
    expect(denied).toContain("the rule deny writes(vendor/**) forbids it");
    expect(read.join("\n")).toContain('"version": "1.3.0"');
  });

  it("serve it to an MCP client", async () => {
    const project = mkdtempSync(join(tmpdir(), "haft-docs-"));
    onTestFinished(() => rmSync(project, { recursive: true, force: true }));
    writeFileSync(join(project, "package.json"), '{"version":"0.1.0"}\n');
    const client = new Client({ name: "docs", version: "1" });
    onTestFinished(() => client.close());
    const program = join(work, "built", "examples", "serve-own-tool.js");
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, project] }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["read", "grep", "edit", "bump_version"]);
    const result = await client.callTool({ name: "bump_version", arguments: { path: "package.json" } });
    expect(result.content).toEqual([{ type: "text", text: "package.json: 0.1.0 → 0.1.1" }]);
    expect(readFileSync(join(project, "package.json"), "utf8")).toBe('{"version":"0.1.1"}\n');
  });

  it("mount it in a host in ten lines", () => {
    // Behind them come those of the SDKs, which are run in test/adapters/hosts-page.test.ts.
    expect(blocksOf("README.md", "ts")).toHaveLength(2 + 5);
    expect(run(".examples/snippets/readme-1.js")).toBe("read list glob grep edit write\nLICENSE: 21 lines\n");
  });

  it("open a session that asks, denies and goes on", () => {
    const [licence, denial, ...rest] = run(".examples/snippets/readme-2.js").split("\n");
    expect(licence).toBe("toolu_1: LICENSE: 21 lines");
    expect(denial).toContain(
      "toolu_2: bash (runs(npm publish)) is not permitted: it was asked for and denied",
    );
    expect(denial).toContain("nobody is here to ask about bash");
    expect(rest).toEqual([""]);
  });
});

describe("the commands", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

  it.each(["README.md", "CONTRIBUTING.md"])("of %s that npm runs are scripts of the package", (document) => {
    const names = commandsOf(document).flatMap((command) => /^npm (?:run )?(\w+)$/.exec(command)?.[1] ?? []);
    expect(names).toEqual(expect.arrayContaining(["start", "test"]));
    expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it("of the README that call haft succeed as they stand", () => {
    const commands = commandsOf("README.md").filter((command) => command.startsWith("node dist/"));
    expect(commands.length).toBeGreaterThan(2);
    for (const command of commands) {
      const done = spawnSync("bash", ["-c", command], { cwd: repository, encoding: "utf8" });
      expect({ command, status: done.status, err: done.stderr }).toEqual({ command, status: 0, err: "" });
      expect(done.stdout).not.toBe("");
    }
  });

  it("of continuous integration are those of the README", () => {
    const lines = read(".ci/run").split("\n");
    expect(lines.filter((line) => /^npm|^node/.test(line))).toEqual(["npm test"]);
    expect(commandsOf("README.md")).toContain("npm test");
  });
});

interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

describe("the configurations of MCP clients", () => {
  const blocks = blocksOf("README.md", "json");

  it("are three", () => {
    expect(blocks).toHaveLength(3);
  });

  it.each(blocks.map((block, index) => [index + 1, block] as const))(
    "number %i starts a server that works",
    async (_index, block) => {
      const project = mkdtempSync(join(tmpdir(), "haft-docs-"));
      onTestFinished(() => rmSync(project, { recursive: true, force: true }));
      writeFileSync(join(project, "a.txt"), "a\n");
      const place = (text: string): string =>
        text
          .replace("/path/to/haft", repository)
          .replace("/path/to/project", project)
          .replace(/\$\{workspaceFolder\}/, project);
      const configuration = JSON.parse(block) as Record<string, { haft: ServerEntry }>;
      const entry = Object.values(configuration)[0]?.haft;
      expect(entry).toBeDefined();
      const client = new Client({ name: "docs", version: "1" });
      onTestFinished(() => client.close());
      await client.connect(
        new StdioClientTransport({ command: entry?.command ?? "", args: (entry?.args ?? []).map(place) }),
      );
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name.replace(/^file_/, ""))).toEqual(
        // Commitments are offered only where they are enabled.
        TOOL_NAMES.filter((name) => name !== "commitments"),
      );
      const result = await client.callTool({ name: tools[0]?.name ?? "", arguments: { path: "a.txt" } });
      expect(result.content).toEqual([{ type: "text", text: "a.txt: 1 line\n1\ta" }]);
    },
  );
});

describe("the documents", () => {
  const documents = [
    ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "THREAT-MODEL.md", "CHANGELOG.md"],
    ...readdirSync(join(repository, "docs"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .map((path) => join("docs", path)),
  ];

  it("link to files that exist", () => {
    const broken = documents.flatMap((document) =>
      [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
        .map((match) => match[1] ?? "")
        .filter((target) => !existsSync(join(repository, dirname(document), target)))
        .map((target) => `${document} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("name files of the source that exist", () => {
    const broken = ["ARCHITECTURE.md", "THREAT-MODEL.md", "CONTRIBUTING.md"].flatMap((document) =>
      [
        ...read(document).matchAll(
          /`((?:src\/)?(?:contract|text|root|tools|toolset|surfaces)\/[\w./-]+\.ts)`/g,
        ),
      ]
        .map((match) => (match[1] ?? "").replace(/^src\//, ""))
        .filter((path) => !existsSync(join(repository, "src", path)))
        .map((path) => `${document} → ${path}`),
    );
    expect(broken).toEqual([]);
  });

  it("name every room of the source in the architecture", () => {
    const rooms = readdirSync(join(repository, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${entry.name}/`);
    const drawing = read("ARCHITECTURE.md");
    expect(rooms.filter((room) => !drawing.includes(room))).toEqual([]);
  });
});

describe("the page of a tool", () => {
  const codesOf = (tool: string) =>
    [...read(`docs/tools/${tool}.md`).matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);

  it.each([
    ["delete", ["path-protected", "path-denied"], ["file-generated", "path-not-regular", "file-too-large"]],
    ["move", ["path-exists", "path-not-regular", "file-changed"], ["file-generated", "file-too-large"]],
    ["write", ["file-generated", "file-unread"], ["edit-no-match", "range-outside"]],
    ["read", ["range-outside", "file-binary", "pattern-unsupported"], ["file-unread", "path-protected"]],
    ["list", ["pattern-unsupported", "path-changed"], ["file-binary", "path-is-directory"]],
  ])("%s lists codes that it can give and none that it cannot", (tool, can, cannot) => {
    expect(codesOf(tool)).toEqual(expect.arrayContaining(can));
    for (const code of cannot) expect(codesOf(tool)).not.toContain(code);
  });
});
