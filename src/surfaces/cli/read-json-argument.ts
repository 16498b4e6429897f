/**
 * Owns where the arguments of a call come from on the command line: the word itself, or standard input for `-`.
 * Leaves understanding them to the argument gate. Rule: as they came; nothing given is no arguments.
 */
export async function readJsonArgument(json: string | undefined): Promise<unknown> {
  if (json !== "-") return json ?? {};
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
