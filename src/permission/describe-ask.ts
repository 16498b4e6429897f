/**
 * Owns what a person is shown of a call beside the reason why they are asked: the folder in which it runs, and the
 * whole of a command. Leaves effects as rules name them to effect.ts. Rule: nobody agrees to what they cannot see. The
 * attack: a command that is harmless for its first line, and a script of a name that is harmless in another folder.
 */

interface ShownPath {
  readonly effect: string;
  readonly path: string;
}

/** `bash runs(make) in sub`. */
export function describeAsk(call: {
  readonly name: string;
  readonly effects: readonly string[];
  /** As the places show them. */
  readonly paths: readonly ShownPath[];
}): string {
  const folder = call.paths.find(({ effect, path }) => effect === "enters" && path !== ".");
  const where = folder === undefined ? [] : ["in", folder.path];
  return [call.name, ...call.effects, ...where].join(" ");
}

/** The commands of which the effects show only a part, or not as they are written. */
export function findWholeCommand(runs: readonly string[], effects: readonly string[]): string | undefined {
  const hidden = runs.filter((command) => !effects.includes(`runs(${command})`));
  return hidden.length === 0 ? undefined : hidden.join("\n");
}
