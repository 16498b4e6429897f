/**
 * Owns how tools are called in one toolset: prefix, bare and mounted names, suggested calls.
 * Leaves which tools are mounted to options.ts. Rule: a suggestion names only what is mounted.
 */
import type { MountedNames } from "../contract/context.ts";

export interface ToolNames extends MountedNames {
  readonly prefix: string;
  /** Mounted names, in catalogue order. */
  readonly mounted: readonly string[];
  /** The bare name of a mounted one. */
  bare(name: string): string | undefined;
}

export function nameTools(prefix: string, bareNames: readonly string[]): ToolNames {
  const byBare = new Map(bareNames.map((bare) => [bare, prefix + bare]));
  const byName = new Map(bareNames.map((bare) => [prefix + bare, bare]));
  return {
    prefix,
    mounted: [...byName.keys()],
    name: (bare) => byBare.get(bare),
    bare: (name) => byName.get(name),
    suggest(bare, args) {
      const name = byBare.get(bare);
      return name === undefined ? undefined : `${name} ${JSON.stringify(args)}`;
    },
  };
}
