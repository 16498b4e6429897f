/**
 * Owns reading a source file for the layer test: its imports, its code without comments and strings.
 * Leaves judging to test/layers.test.ts. Rule: small and strict; it understands the style of this repository, in
 * which an import stands at the start of a line.
 */

export interface ScannedImport {
  readonly specifier: string;
  /** Erased by the compiler: no dependency at run time. */
  readonly typeOnly: boolean;
  /** Loaded only when the line runs. */
  readonly dynamic: boolean;
}

/** A comment, a string, a template, or a regular expression; whichever begins first. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[dgimsuvy]*(?=\s*[,;.)\]:?])/g;

const blank = (text: string): string => text.replace(/[^\n]/g, " ");
const isComment = (token: string): boolean => token.startsWith("/*") || token.startsWith("//");

/** The code with comments, strings, templates and patterns blanked; line breaks stay. */
export function keepCode(source: string): string {
  return source.replace(TOKEN, blank);
}

/** The code with its strings, without comments and templates. */
function keepStrings(source: string): string {
  return source.replace(TOKEN, (token) => (isComment(token) || token.startsWith("`") ? blank(token) : token));
}

const STATIC = /^(import|export)\s+(type\s+)?(?:[^"'`;]*?\sfrom\s+)?["']([^"']+)["']/gm;
const DYNAMIC = /\b(typeof\s+)?import\(\s*["']([^"']+)["']\s*\)(\.\w)?/g;

export function scanImports(source: string): readonly ScannedImport[] {
  const withoutComments = keepStrings(source);
  const found: ScannedImport[] = [];
  for (const match of withoutComments.matchAll(STATIC)) {
    const [statement, , type, specifier = ""] = match;
    const names = /\{([^}]*)\}/.exec(statement)?.[1];
    const allTypes =
      names !== undefined &&
      /^(import|export)\s*\{/.test(statement) &&
      names.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type "));
    found.push({ specifier, typeOnly: type !== undefined || allTypes, dynamic: false });
  }
  for (const [, type, specifier = "", member] of withoutComments.matchAll(DYNAMIC)) {
    // `import("x").Name` is how a type is named in place; a value would be awaited first.
    found.push({ specifier, typeOnly: type !== undefined || member !== undefined, dynamic: true });
  }
  return found;
}
