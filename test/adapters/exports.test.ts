/**
 * Owns what the adapters export, and what they load. Leaves behaviour to the tests beside it.
 * Rule: a name that is not here is not promised; a host installs no SDK that it does not use.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scanImports } from "../layers/scan-source.ts";

const repository = join(import.meta.dirname, "..", "..");
const { exports } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
  exports: Record<string, { readonly default: string }>;
};

const ADAPTERS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["anthropic", ["answerToolUses", "toAnthropicTools"], []],
  ["openai", ["answerChatCalls", "answerResponseCalls", "toChatTools", "toResponsesTools"], []],
  ["ai-sdk", ["openApprovals", "repairToolCall", "toAiTools"], []],
  [
    "langchain",
    ["answerLangChainCalls", "toLangChainTools"],
    ["@langchain/core/messages", "@langchain/core/tools"],
  ],
];

describe.each(ADAPTERS)("haft/%s", (name, names, packages) => {
  it("is exported by the package, with these names", async () => {
    const file = exports[`./${name}`]?.default ?? "";
    expect(file).toBe(`./dist/surfaces/adapters/${name}.js`);
    expect(Object.keys(await import(join(repository, file))).sort()).toEqual(names);
  });

  it("loads its SDK only where types are not enough", () => {
    const source = readFileSync(join(repository, "src", "surfaces", "adapters", `${name}.ts`), "utf8");
    const loaded = scanImports(source).filter(
      ({ specifier, typeOnly }) => !typeOnly && !specifier.startsWith("."),
    );
    expect(loaded.map(({ specifier }) => specifier)).toEqual(packages);
  });
});
