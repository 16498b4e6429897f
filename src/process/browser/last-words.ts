/**
 * Owns what is told of a browser's error output: its last lines that say something.
 * Leaves reading the file to run-browser.ts. No I/O. Rule: the same failure gives the same words: process ids, times
 * and the profile's own path are taken out.
 */

/** `[26078:26078:1130/150559.444161:ERROR:components/x.cc:403] Page load failed` */
const CHROMIUM_LINE = /^\[[\d:./]+:([A-Z]+):([^\]]*)\]\s*(.*)$/;
/** Of parts that complain in every container, about what no page needs. */
const NOISE =
  /dbus|zygote|crashpad|gpu|vulkan|viz|isolated_origin|unexpected operator|gcm|registration_request/i;
const MAX_LINES = 5;
const MAX_CHARACTERS = 500;

export function tellLastWords(text: string, profile: string): string {
  const lines = text.replaceAll(profile, "<profile>").split(/\r?\n/);
  const said = lines.map(readLine).filter((line) => line !== "");
  return said.slice(-MAX_LINES).join("\n").toWellFormed().slice(-MAX_CHARACTERS).toWellFormed();
}

function readLine(line: string): string {
  const [, level, file = "", words = ""] = CHROMIUM_LINE.exec(line) ?? [];
  if (level === undefined) return NOISE.test(line) ? "" : line.trim();
  return NOISE.test(file) || NOISE.test(words) ? "" : words.trim();
}
