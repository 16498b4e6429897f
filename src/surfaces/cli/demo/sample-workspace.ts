/**
 * Owns the small project that the demo repairs: a basket whose total forgets quantities, a test that shows it, and
 * a file with Windows line endings. Leaves repairing to the demo. Rule: everything lies in one new temporary folder.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface SampleWorkspace {
  readonly root: string;
  /** The bytes of a file, read past the tools: the demo's own proof. */
  bytesOf(path: string): Buffer;
  remove(): void;
}

const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "basket", "private": true, "type": "module" }\n',
  "README.md": "# basket\n\nPrices in cents. `node --test` runs the tests.\n",
  "src/basket.js": `/** The price of everything in the basket, in cents. */
export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}

/** What a discount takes off, in cents. */
export function discount(items, percent) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return Math.round((sum * percent) / 100);
}
`,
  "test/basket.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { discount, total } from "../src/basket.js";

const items = [
  { name: "tea", price: 350, quantity: 2 },
  { name: "cup", price: 900, quantity: 1 },
];

test("the total counts every piece", () => assert.equal(total(items), 1600));
test("the discount counts every piece", () => assert.equal(discount(items, 10), 160));
`,
  "CHANGES.txt": "basket 1.0\r\n- first version\r\n",
  ".gitignore": "node_modules/\n",
  "node_modules/left/index.js": "export const sum = 0;\n",
};

export function createSampleWorkspace(): SampleWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-demo-")));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return {
    root,
    bytesOf: (path) => readFileSync(join(root, path)),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
