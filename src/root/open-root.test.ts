import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Fixture, makeFixture } from "../../test/faults/fixture.ts";
import { OptionsError } from "../contract/errors.ts";
import { openRoot } from "./open-root.ts";

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => fixture.remove());

test("a root is known by its real path and by the host's spelling", () => {
  symlinkSync("box", join(fixture.base, "alias"));
  const root = openRoot({ root: join(fixture.base, "alias/") });
  expect(root).toMatchObject({ path: fixture.box, spelled: join(fixture.base, "alias"), agentId: "main" });
  expect(Object.isFrozen(root)).toBe(true);
});

test("a root that does not exist, is a file, or cannot be named is a wrong option", () => {
  writeFileSync(join(fixture.base, "file"), "");
  const odd = Buffer.concat([Buffer.from(`${fixture.base}/n`), Buffer.from([0xe9])]);
  mkdirSync(odd);
  symlinkSync(odd, join(fixture.base, "to-odd"));
  for (const path of ["none", "file", "file/x", "to-odd", "a\0b"].map((name) => `${fixture.base}/${name}`)) {
    expect(() => openRoot({ root: path })).toThrow(OptionsError);
    expect(() => openRoot({ root: path })).toThrow(/option root: expected a directory/);
  }
  expect(() => openRoot({ root: "" })).toThrow(OptionsError);
});
