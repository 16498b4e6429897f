/**
 * Owns saying which of Node's own modules the import of one entry of haft loads, those that they load in turn
 * included. Run: node import-root.mjs ENTRY [FILE]
 */
import { writeFileSync } from "node:fs";

const before = new Set(process.moduleLoadList);
await import(process.argv[2]);
const loaded = process.moduleLoadList.filter((name) => !before.has(name));
const names = loaded.map((name) => name.replace(/^(NativeModule|Internal Binding) /, ""));
if (process.argv[3] !== undefined) writeFileSync(process.argv[3], JSON.stringify(names));
