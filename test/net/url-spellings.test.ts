/**
 * Owns asking the screen for its verdict on every spelling of the table, and a second library about the addresses.
 * Leaves the table to url-spellings.ts. Rule: where the two disagree, the address stands below with its reason.
 */
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { formatAddress, parseAddress } from "../../src/net/address.ts";
import { openScreen, type Screened } from "../../src/net/screen.ts";
import { NAMES, SPELLINGS, type SpellingGroup } from "./url-spellings.ts";

const asked: string[] = [];
const screen = openScreen({
  lookup: async (host) => {
    asked.push(host);
    const answer = NAMES[host];
    if (answer === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    return answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  },
});

const rows = SPELLINGS.flatMap((group) => group.spellings.map((spelling) => ({ group, spelling })));

function verdictOf(result: Awaited<ReturnType<typeof screen>>): SpellingGroup["verdict"] {
  if (result.kind === "screened") {
    const [first] = result.addresses;
    return { connectsTo: first === undefined ? "" : formatAddress(first), port: result.port };
  }
  if (result.code !== "url-blocked") return { code: result.code as "url-invalid" };
  const { facts } = result;
  return {
    code: result.code,
    by: facts.by,
    ...("kind" in facts ? { kind: facts.kind } : {}),
    ...("via" in facts && facts.via !== undefined ? { via: facts.via } : {}),
  };
}

describe("the screen", () => {
  it("has at least 300 spellings to judge, none of them twice", () => {
    const spellings = rows.map(({ spelling }) => spelling);
    expect(new Set(spellings).size).toBe(spellings.length);
    expect(spellings.length).toBeGreaterThanOrEqual(300);
  });

  it.each(SPELLINGS.map((group) => [group.name, group] as const))("says %s", async (_name, group) => {
    const verdicts = await Promise.all(
      group.spellings.map(async (spelling) => [spelling, verdictOf(await screen(spelling))]),
    );
    expect(verdicts).toEqual(group.spellings.map((spelling) => [spelling, group.verdict]));
  });

  it("asks no resolver about a literal address or a name that is refused as such", () => {
    expect(
      asked.filter((host) => parseAddress(host) !== undefined || /localhost\.?$|internal\.?$/.test(host)),
    ).toEqual(["notlocalhost"]);
  });

  it("gives every address of an answer, in its order", async () => {
    const result = (await screen("http://both.test/")) as Screened;
    expect(result.addresses.map(formatAddress)).toEqual(NAMES["both.test"]);
  });
});

/** Where ipaddr.js 2.5.0 says otherwise, and why it is not followed. */
const DISAGREEMENTS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^168\.63\.129\.16$/, "Azure's metadata stand in public space"],
  [
    /^64:ff9b::808:808$/,
    "the registry has the well-known NAT64 prefix as global, and this one leads to 8.8.8.8",
  ],
  [/:(?:200:)?5efe:/, "it does not look into ISATAP"],
  [
    /^(?:5f00|4000|1|200|e000|100:0:0:1|fe00):/,
    "it takes space that is not allocated, or not routed, for unicast",
  ],
  [/^::1:0:0:0$/, "the same"],
  [/^::[0-9a-f]+:[0-9a-f]+$/, "it does not know the deprecated IPv4-compatible addresses"],
];

describe("a second library", () => {
  const literals = rows.flatMap(({ group, spelling }) => {
    const host = URL.canParse(spelling) ? new URL(spelling).hostname.replace(/^\[|\]$/g, "") : "";
    // What was refused for its port or its user info says nothing of its address.
    const isJudged =
      "connectsTo" in group.verdict || ("by" in group.verdict && group.verdict.by === "address");
    return isJudged && ipaddr.isValid(host) ? [{ bare: host, passes: "connectsTo" in group.verdict }] : [];
  });

  it("agrees on every literal address of the table but for those it is wrong about", () => {
    const differing = literals
      .filter(({ bare, passes }) => (ipaddr.process(bare).range() === "unicast") !== passes)
      .map(({ bare }) => bare)
      .filter((bare) => !DISAGREEMENTS.some(([pattern]) => pattern.test(bare)));
    expect(literals.length).toBeGreaterThan(200);
    expect(differing).toEqual([]);
  });

  it("still disagrees where the table says so", () => {
    const needed = DISAGREEMENTS.filter(([pattern]) =>
      literals.some(
        ({ bare, passes }) => pattern.test(bare) && (ipaddr.process(bare).range() === "unicast") !== passes,
      ),
    );
    expect(needed).toEqual(DISAGREEMENTS);
  });
});
