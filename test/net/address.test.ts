/**
 * Owns addresses by themselves: that their text is read and written as others do, and that nothing passes which a
 * second library holds to be special.
 */
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { type Address, formatAddress, parseAddress, parseStrictAddress } from "../../src/net/address.ts";
import { classifyAddress } from "../../src/net/address-class.ts";
import { readPrivateHost } from "../../src/net/private-hosts.ts";
import { showUrl } from "../../src/net/shown-url.ts";

const ipv4 = fc
  .integer({ min: 0, max: 0xffff_ffff })
  .map((value): Address => ({ family: 4, value: BigInt(value) }));

/** Prefixes that mean something, so that chance finds more than unallocated space. */
const PREFIXES = [
  "::",
  "::ffff:0:0",
  "::ffff:0:0:0",
  "64:ff9b::",
  "64:ff9b:1::",
  "100::",
  "2001::",
  "2001:db8::",
  "2002::",
  "2606:4700::",
  "2a00::5efe:0:0",
  "2a00::200:5efe:0:0",
  "3fff::",
  "5f00::",
  "fc00::",
  "fe80::",
  "fec0::",
  "ff02::",
];
const ipv6 = fc
  .record({
    prefix: fc.constantFrom(...PREFIXES),
    bits: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
    kept: fc.constantFrom(0n, 32n, 64n, 96n, 112n, 128n),
  })
  .map(({ prefix, bits, kept }): Address => {
    const base = parseAddress(prefix)?.value ?? 0n;
    const mask = kept === 128n ? 0n : (1n << (128n - kept)) - 1n;
    return { family: 6, value: (base & ~mask) | (bits & mask) | (base & mask & 0xffff_ffff_0000_0000n) };
  });
const address = fc.oneof(ipv4, ipv6);

describe("an address", () => {
  it("is written as a second library writes it, and read back", () => {
    fc.assert(
      fc.property(address, (one) => {
        const text = formatAddress(one);
        expect(parseStrictAddress(text)).toEqual(one);
        expect(parseAddress(text)).toEqual(one);
        expect(ipaddr.parse(text).toString()).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it("is read as the URL standard reads it", () => {
    const part = fc.oneof(
      fc.nat(300).map(String),
      fc.nat(300).map((n) => `0x${n.toString(16)}`),
      fc.nat(300).map((n) => `0${n.toString(8)}`),
      fc.constantFrom("", "0x", "08", "4294967295", "65536"),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const text = parts.join(".");
        const url = `http://${text}/`;
        const host = URL.canParse(url) ? new URL(url).hostname : undefined;
        const parsed = parseAddress(text);
        // A host that ends in no number is a name to the standard, and no address to anybody.
        expect(parsed === undefined ? undefined : formatAddress(parsed)).toBe(
          host !== undefined && ipaddr.isValid(host) ? host : undefined,
        );
      }),
      { numRuns: 2000 },
    );
  });

  it("passes only where a second library calls it unicast, or a way to unicast", () => {
    fc.assert(
      fc.property(address, (one) => {
        const verdict = classifyAddress(one);
        if (!verdict.isPublic) return;
        const range = ipaddr.process(formatAddress(one)).range();
        const isNat64 =
          range === "rfc6052" &&
          ipaddr.parse(formatAddress({ family: 4, value: one.value & 0xffff_ffffn })).range() === "unicast";
        expect(range === "unicast" || isNat64).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it("of IPv4 passes exactly where a second library calls it unicast", () => {
    fc.assert(
      fc.property(ipv4, (one) => {
        const verdict = classifyAddress(one);
        if (verdict.isPublic) expect(ipaddr.parse(formatAddress(one)).range()).toBe("unicast");
        else if (verdict.kind !== "cloud metadata")
          expect(ipaddr.parse(formatAddress(one)).range()).not.toBe("unicast");
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    "0177.0.0.1",
    "127.1",
    "127.0.0.1.",
    "0x7f.0.0.1",
    "2130706433",
    " 127.0.0.1",
    "127.0.0.1 ",
    "127.0.0.256",
    "[::1]",
    "::1%",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "::1.2.3",
    "::127.0.0.1.1",
    "::12345",
    "::ffff:01.2.3.4",
    "",
    "a",
    "1:2:3:4:5:6:7::8:9",
  ])("of a resolver is not %j", (text) => {
    expect(parseStrictAddress(text)).toBeUndefined();
  });

  it("keeps its zone apart", () => {
    expect(parseStrictAddress("fe80::1%eth0")).toMatchObject({ family: 6, zone: "eth0" });
    expect(formatAddress({ family: 6, value: 1n, zone: "eth0" })).toBe("::1");
  });
});

describe("a private host", () => {
  it.each([
    ["localhost:3000", "localhost:3000"],
    ["LOCALHOST:3000", "localhost:3000"],
    ["127.1:80", "127.0.0.1:80"],
    ["[::1]:8080", "[::1]:8080"],
    ["[0:0::1]:443", "[::1]:443"],
    ["db.internal:0080", "db.internal:80"],
    ["localhost", undefined],
    ["localhost:", undefined],
    ["http://localhost:3000", undefined],
    ["localhost:3000/", undefined],
    ["u@localhost:3000", undefined],
    ["*:3000", "*:3000"],
    ["localhost:99999", undefined],
    ["a b:1", undefined],
    ["", undefined],
  ])("written %j is %j", (text, host) => {
    expect(readPrivateHost(text)).toBe(host);
  });
});

describe("a URL that is shown", () => {
  it.each([
    ["http://u:p@a.test/x@y", "http://a.test/x@y"],
    ["http://a.test/@name", "http://a.test/@name"],
    ["http://u:p/q@a b/", "…@a b/"],
    ["http://u:p%40a b/", "…@a b/"],
    ["ftp://u:p@a.test/", "…@a.test/"],
    ["data:text/html,x", "data:text/html,x"],
    ["", ""],
  ])("%j is %j", (url, shown) => {
    expect(showUrl(url)).toBe(shown);
  });

  it("is not long, well-formed, and soon there", () => {
    for (const url of [
      `http://a.test/${"😀".repeat(9000)}`,
      "x".repeat(3_000_000),
      "\ud800".repeat(9000),
      `${"a@".repeat(500_000)} `,
    ]) {
      const shown = showUrl(url);
      expect([...shown].length).toBeLessThanOrEqual(501);
      expect(shown.isWellFormed()).toBe(true);
    }
  });
});
