/**
 * Owns `haft --version` and nothing beside it. Rule: loads what Node has loaded already, and nothing else.
 */
/** False where standard output does not take it at once: then the long way is the safe one. */
export function tellVersion(): boolean {
  const { readFileSync, writeSync } = process.getBuiltinModule("node:fs");
  const manifest = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  try {
    writeSync(1, `${(JSON.parse(manifest) as { version: string }).version}\n`);
    return true;
  } catch {
    return false;
  }
}
