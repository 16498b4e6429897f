/**
 * Owns which names nobody means to give to something new: the leavings of a shell, a browser, another system, or of a
 * model's own markup. Leaves what exists under such a name alone: it can be read, changed, moved away and deleted.
 * Rule: only what no project has on purpose. A name made by accident is found by nobody, and hides that the file which
 * was meant was never written.
 */

/** What is wrong with a path at whose end `names` would be new. */
export function findNewNameFault(path: string, names: readonly string[]): string | undefined {
  return findPathLeaving(path, names) ?? names.map(findNameLeaving).find((fault) => fault !== undefined);
}

function findPathLeaving(path: string, names: readonly string[]): string | undefined {
  const text = path.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "it is an address, not a path";
  if (/^(["'`]).*\1$/s.test(text)) return "it stands in quotes; give the path alone";
  if (/^[[{]\s*["'].*[\]}]$/s.test(text)) return "it is JSON text, not a path";
  if (/<\/|^<\w+>/.test(text)) return "it holds a tag; give the path alone";
  // Windows has drives; there the first name of a path is never one.
  if (/^[a-z]:$/i.test(names[0] ?? "") && /^[a-z]:\//i.test(text))
    return "a drive letter means nothing on this system; give a path inside the root, relative to it";
  return undefined;
}

function findNameLeaving(name: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(name))
    return "a new name would hold a control character, such as a newline";
  if (/^\s|\s$/u.test(name)) return "a new name would begin or end with a blank";
  // systemd escapes its names (`a\x2db.mount`); any other backslash is a separator of Windows.
  if (name.replace(/\\x[0-9a-f]{2}/gi, "").includes("\\"))
    return "a new name would hold a backslash; folders are separated by /";
  return undefined;
}
