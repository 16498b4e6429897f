/**
 * Owns repositories that bring something prepared along: what of it has an effect before anybody trusts it, which is
 * nothing, and whether it is named. Leaves each key to src/surfaces/config/configure.test.ts. Rule: the built program.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HAFT, makeFolder } from "./start-server.ts";

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

interface Place {
  readonly root: string;
  readonly config: string;
  readonly outside: string;
  readonly haft: (...args: readonly string[]) => Ran;
}

function makePlace(): Place {
  const around = makeFolder();
  const [root, config, outside] = ["root", "config", "outside"].map((name) => join(around, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [root, config, outside]) mkdirSync(folder);
  writeFileSync(join(root, "a.txt"), "a\n");
  const haft = (...args: readonly string[]): Ran => {
    const done = spawnSync(process.execPath, [HAFT, ...args], {
      encoding: "utf8",
      cwd: root,
      input: "",
      timeout: 25_000,
      env: { ...process.env, XDG_CONFIG_HOME: config },
    });
    return { status: done.status, out: done.stdout, err: done.stderr };
  };
  return { root, config, outside, haft };
}

const WIDE = { mode: "full-access", rules: { allow: ["bash"] } };
const file = ({ root }: Place): string => join(root, "haft.config.json");

/** What is prepared, and by which words a person learns of it. */
const PREPARED: readonly (readonly [name: string, prepare: (place: Place) => void, named: RegExp])[] = [
  [
    "every way to full access",
    (place) => writeFileSync(file(place), JSON.stringify(WIDE)),
    /not trusted; not in force: rules\.allow \["bash"\]; mode "full-access"/,
  ],
  [
    "the same behind a byte order mark",
    (place) => writeFileSync(file(place), `\uFEFF${JSON.stringify(WIDE)}`),
    /not in force: rules\.allow \["bash"\]; mode "full-access"/,
  ],
  [
    "a key that stands twice, harmless first",
    (place) => writeFileSync(file(place), '{"mode":"read-only","rules":{"deny":[]},"mode":"full-access"}'),
    /cannot be followed: the key "mode" stands in it twice/,
  ],
  [
    "a key that stands twice, once with an escape",
    (place) => writeFileSync(file(place), '{"rules":{"deny":["bash"],"den\\u0079":[]},"mode":"read-only"}'),
    /cannot be followed: the key "deny" stands in it twice/,
  ],
  [
    "keys of prototypes",
    (place) =>
      writeFileSync(
        file(place),
        '{"__proto__":{"mode":"full-access"},"constructor":{"prototype":{"mode":"full-access"}},"rules":{"__proto__":{"allow":["bash"]}}}',
      ),
    /keys that are none, ignored: __proto__ .*constructor; rules\.__proto__/,
  ],
  [
    "keys that would write on the terminal",
    (place) => writeFileSync(file(place), JSON.stringify({ "\u001b[2J\nhaft: all is well": 1, ...WIDE })),
    /<U\+001B>\[2J<U\+000A>haft: all is well/,
  ],
  [
    "a link in the configuration's place",
    (place) => {
      writeFileSync(join(place.outside, "wide.json"), JSON.stringify(WIDE));
      symlinkSync(join(place.outside, "wide.json"), file(place));
    },
    /haft\.config\.json is ignored: it is a link/,
  ],
  [
    "a link that leads nowhere",
    (place) => symlinkSync(join(place.outside, "nothing"), file(place)),
    /is ignored: it is a link/,
  ],
  [
    "a FIFO in its place",
    (place) => void spawnSync("mkfifo", [file(place)]),
    /is ignored: it is not a regular file/,
  ],
  ["a directory in its place", (place) => mkdirSync(file(place)), /is ignored: it is not a regular file/],
  [
    "a huge file in its place",
    (place) => writeFileSync(file(place), JSON.stringify({ ...WIDE, $schema: "x".repeat(200_000) })),
    /cannot be followed: it has more than 65536 bytes/,
  ],
  [
    "bytes that are no text",
    (place) => writeFileSync(file(place), Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
    /cannot be followed: it is not UTF-8/,
  ],
  [
    "the same in UTF-16",
    (place) => writeFileSync(file(place), `\uFEFF${JSON.stringify(WIDE)}`, "utf16le"),
    /cannot be followed: it is not UTF-8/,
  ],
  ["nothing at all", (place) => writeFileSync(file(place), ""), /cannot be followed: it is not JSON/],
  [
    "comments in it",
    (place) => writeFileSync(file(place), `// ours\n${JSON.stringify(WIDE)}`),
    /cannot be followed: it is not JSON/,
  ],
  [
    "a second name of a file that lies elsewhere",
    (place) => {
      writeFileSync(join(place.outside, "wide.json"), JSON.stringify(WIDE));
      linkSync(join(place.outside, "wide.json"), file(place));
    },
    /not trusted; not in force: rules\.allow \["bash"\]; mode "full-access"/,
  ],
  [
    "options of a host, and of the person's own file",
    (place) =>
      writeFileSync(
        file(place),
        JSON.stringify({
          ...WIDE,
          afterWrite: "sh",
          sessionId: "x",
          roots: { "/": WIDE },
          trusted: "sha256:0",
        }),
      ),
    /keys that are none, ignored: afterWrite \(one of .* is known\); sessionId; roots; trusted/,
  ],
  [
    "what is no JSON",
    (place) => writeFileSync(file(place), '{"mode":"full-access",'),
    /cannot be followed: it is not JSON/,
  ],
  [
    "what is no object",
    (place) => writeFileSync(file(place), "[1]"),
    /cannot be followed: it is not a JSON object/,
  ],
  [
    "deep nesting",
    (place) => writeFileSync(file(place), `{"rules":${"[".repeat(30_000)}${"]".repeat(30_000)}}`),
    /rules/,
  ],
];

/** What is prepared below `.haft`. */
const STATES: readonly (readonly [
  name: string,
  prepare: (state: string, outside: string) => void,
  named: RegExp,
])[] = [
  ["others may write", (state) => chmodSync(state, 0o777), /may be written by others/],
  [
    "the ledger is a FIFO",
    (state) => void spawnSync("mkfifo", [join(state, "ledger.db")]),
    /ledger\.db is no file/,
  ],
  [
    "the ledger's log is a link",
    (state, outside) => symlinkSync(join(outside, "log"), join(state, "ledger.db-wal")),
    /ledger\.db-wal is a symbolic link/,
  ],
  [
    "the ledger is another name of a file elsewhere",
    (state, outside) => {
      writeFileSync(join(outside, "mine"), "");
      linkSync(join(outside, "mine"), join(state, "ledger.db"));
    },
    /has another name too/,
  ],
  [
    "the ledger is of another program",
    (state) => writeFileSync(join(state, "ledger.db"), "no database\n".repeat(100), { mode: 0o600 }),
    /no ledger of haft/,
  ],
  [
    "scratch is a link",
    (state, outside) => symlinkSync(outside, join(state, "scratch")),
    /scratch is a symbolic link/,
  ],
  [
    "an agent's scratch is a link",
    (state, outside) => {
      mkdirSync(join(state, "scratch"), { mode: 0o700 });
      symlinkSync(outside, join(state, "scratch", "main"));
    },
    /scratch\/main is a symbolic link/,
  ],
];

describe("a repository that brings along", () => {
  it.each(PREPARED)("%s gets nothing by it, and it is named", (_name, prepare, named) => {
    const place = makePlace();
    prepare(place);
    const ran = place.haft("call", "bash", '{"command":"touch ran"}');
    expect(ran.status).not.toBe(0);
    expect(readdirSync(place.root)).not.toContain("ran");
    expect(ran.err).toMatch(named);
    expect(ran.err.match(new RegExp(named, "g"))).toHaveLength(1);
    expect(ran.err).not.toMatch(/^\s+at \S|\u001b/m);
    const { findings } = JSON.parse(place.haft("doctor", "--json").out) as {
      findings: { name: string; found: boolean; detail: string }[];
    };
    const finding = findings.find(({ name }) => name === "project's configuration");
    expect(finding?.found).toBe(false);
    expect(finding?.detail).toMatch(named);
  });

  it("what cannot be followed stops, for it may have meant to deny, and the way out is told", () => {
    const place = makePlace();
    writeFileSync(file(place), '{"rules":{"deny":["reads(a.txt)"],}}');
    const read = place.haft("call", "read", '{"path":"a.txt"}');
    expect(read).toMatchObject({ status: 2, out: "" });
    expect(read.err).toContain("Repair or remove it");
    const served = place.haft("mcp", "--root", place.root);
    expect(served).toMatchObject({ status: 2, out: "" });
    expect(served.err).toContain("cannot be followed: it is not JSON");
    expect(place.haft("trust", place.root)).toMatchObject({ status: 2, out: "" });
  });

  it.each(["", ".", "here"])("a configuration for the person gets none read where HOME is %j", (home) => {
    const place = makePlace();
    for (const folder of [place.root, join(place.root, "here")]) {
      mkdirSync(join(folder, ".config", "haft"), { recursive: true });
      writeFileSync(join(folder, ".config", "haft", "config.json"), JSON.stringify(WIDE));
    }
    const done = spawnSync(process.execPath, [HAFT, "call", "bash", '{"command":"touch ran"}'], {
      encoding: "utf8",
      cwd: place.root,
      env: { PATH: process.env.PATH, HOME: home },
    });
    expect(done.status).toBe(1);
    expect(readdirSync(place.root)).not.toContain("ran");
  });

  it("a .haft that is a link gets nothing written behind it", () => {
    const place = makePlace();
    symlinkSync(place.outside, join(place.root, ".haft"));
    const ran = place.haft("call", "read", '{"path":"a.txt"}');
    expect(ran.status).not.toBe(0);
    expect(ran.err).toContain(".haft");
    expect(readdirSync(place.outside)).toEqual([]);
  });

  it("a .haft that is a file is not written over", () => {
    const place = makePlace();
    writeFileSync(join(place.root, ".haft"), "mine\n");
    const ran = place.haft("call", "read", '{"path":"a.txt"}');
    expect(ran.status).not.toBe(0);
    expect(ran.err).toContain(".haft");
    expect(readFileSync(join(place.root, ".haft"), "utf8")).toBe("mine\n");
  });

  it.each(STATES)(
    "a .haft in which %s gets nothing by it, and haft doctor names it",
    (_name, prepare, named) => {
      const place = makePlace();
      const state = join(place.root, ".haft");
      mkdirSync(state, { mode: 0o700 });
      prepare(state, place.outside);
      const before = readdirSync(place.outside).map((name) => [
        name,
        statSync(join(place.outside, name)).size,
      ]);
      const ran = place.haft("call", "bash", '{"command":"touch $TMPDIR/x"}', "--mode", "full-access");
      expect(ran.status).not.toBe(0);
      expect(ran.err).toMatch(named);
      expect(
        readdirSync(place.outside).map((name) => [name, statSync(join(place.outside, name)).size]),
      ).toEqual(before);
      const { findings } = JSON.parse(place.haft("doctor", "--json").out) as {
        findings: { name: string; found: boolean; detail: string }[];
      };
      const finding = findings.find(({ name }) => name === "state");
      expect(finding).toMatchObject({ found: false, detail: expect.stringMatching(named) });
    },
  );

  it("a ledger that is a link gets nothing written behind it", () => {
    const place = makePlace();
    mkdirSync(join(place.root, ".haft"), { mode: 0o700 });
    symlinkSync(join(place.outside, "ledger.db"), join(place.root, ".haft", "ledger.db"));
    const ran = place.haft("call", "read", '{"path":"a.txt"}');
    expect(ran.status).not.toBe(0);
    expect(ran.err).toContain("ledger.db");
    expect(readdirSync(place.outside)).toEqual([]);
  });

  it("rules that ask gets nobody asked for what the mode denies", () => {
    const place = makePlace();
    writeFileSync(file(place), JSON.stringify({ rules: { ask: ["*"] } }));
    const explain = (...flags: string[]) =>
      JSON.parse(
        place.haft("explain", "write", '{"path":"b","content":""}', "--json", ...flags).out,
      ) as unknown;
    expect(explain("--mode", "read-only")).toMatchObject({ outcome: "deny", by: "mode" });
    // The person's own rule may ask there; and the project's asks for what would otherwise run.
    expect(explain("--mode", "read-only", "--ask", "write")).toMatchObject({ outcome: "ask" });
    expect(explain()).toMatchObject({ outcome: "ask", by: "rule", rule: "*" });
    expect(explain("--mode", "read-only", "--allow", "write")).toMatchObject({ outcome: "ask" });
  });
});

describe("haft trust", () => {
  it("puts a file in force, lists it, and takes it back", () => {
    const place = makePlace();
    writeFileSync(file(place), JSON.stringify(WIDE));
    const trusted = place.haft("trust", place.root);
    expect(trusted).toMatchObject({ status: 0, err: "" });
    expect(trusted.out).toContain('in force now: mode "full-access"');
    expect(place.haft("call", "bash", '{"command":"touch ran"}')).toMatchObject({ status: 0, err: "" });
    expect(place.haft("trust", "--list").out).toBe(`${file(place)}: trusted\n`);
    writeFileSync(file(place), JSON.stringify({ ...WIDE, commitments: true }));
    expect(place.haft("call", "bash", "{}").err).toContain("has changed since it was trusted");
    expect(place.haft("trust", "--revoke", place.root).status).toBe(0);
    expect(place.haft("trust", "--list").out).toBe("no project is trusted\n");
  });

  it("trusts nothing that it cannot read, and wants a directory", () => {
    const place = makePlace();
    expect(place.haft("trust", place.root)).toMatchObject({ status: 1, out: "" });
    symlinkSync(join(place.outside, "x"), file(place));
    expect(place.haft("trust", place.root).err).toContain("it is a link");
    expect(place.haft("trust")).toMatchObject({ status: 2, out: "" });
  });
});

it("says once in haft mcp what is not in force", () => {
  const place = makePlace();
  writeFileSync(file(place), JSON.stringify(WIDE));
  const ran = place.haft("mcp", "--root", place.root);
  expect(ran.err.match(/not in force/g)).toHaveLength(1);
});
