/**
 * Owns which version of Vercel's AI SDK the tests run with: 6, which stands beside haft's own packages, or 7 in a run
 * of its own with a newer Node (HAFT_TEST_AI_SDK_7 names the folder of its packages).
 * Leaves starting that run to ai-sdk-7.test.ts. Rule: the same tests for both; what differs between them stands here.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import * as ai from "ai";
import { MockLanguageModelV3 } from "ai/test";
import type { repairToolCall } from "../../../src/surfaces/adapters/ai-sdk.ts";

interface AiSdk {
  readonly version: 6 | 7;
  readonly ai: typeof ai;
  readonly createOpenAICompatible: typeof createOpenAICompatible;
  readonly MockLanguageModel: typeof MockLanguageModelV3;
  /** The option by which arguments that are no JSON are handed on. */
  repair(how: typeof repairToolCall): { readonly experimental_repairToolCall: typeof repairToolCall };
  /** An image as the model's side of the SDK is given it. */
  image(of: { readonly base64: string; readonly mediaType: string }): object;
}

const version6: AiSdk = {
  version: 6,
  ai,
  createOpenAICompatible,
  MockLanguageModel: MockLanguageModelV3,
  repair: (how) => ({ experimental_repairToolCall: how }),
  image: ({ base64, mediaType }) => ({ type: "image-data", data: base64, mediaType }),
};

/** The words that the tests use are those of both versions, so the types of the one serve for the other. */
async function openVersion7(folder: string): Promise<AiSdk> {
  const load = async (path: string): Promise<unknown> =>
    import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href);
  const provider = (await load("@ai-sdk/openai-compatible/dist/index.js")) as Pick<
    AiSdk,
    "createOpenAICompatible"
  >;
  const testing = (await load("ai/dist/test/index.js")) as {
    MockLanguageModelV4: AiSdk["MockLanguageModel"];
  };
  return {
    version: 7,
    ai: (await load("ai/dist/index.js")) as typeof ai,
    createOpenAICompatible: provider.createOpenAICompatible,
    MockLanguageModel: testing.MockLanguageModelV4,
    repair: (how) => ({ repairToolCall: how }) as unknown as ReturnType<AiSdk["repair"]>,
    image: ({ base64, mediaType }) => ({ type: "file", data: { type: "data", data: base64 }, mediaType }),
  };
}

const { HAFT_TEST_AI_SDK_7: folder } = process.env;
export const AI_SDK: AiSdk = folder === undefined ? version6 : await openVersion7(folder);
