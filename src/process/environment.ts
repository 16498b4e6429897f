/**
 * Owns which variables of the host's environment another program sees.
 * Leaves starting it to spawn-program.ts. Rule: a list of what is passed, never of what is not. The attack: a key of
 * the host, or a variable that makes a program run something (`RIPGREP_CONFIG_PATH`, `LD_PRELOAD`), reaches it.
 */

/** What programs need to find their way: text, time, temporary files, and the system itself on Windows. */
const PASSED = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TEMP", "TMP", "SystemRoot", "windir"];

export function scrubEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of PASSED) {
    const value = environment[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
