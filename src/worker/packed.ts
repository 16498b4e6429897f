/**
 * Owns putting a value of plain data, with bytes in it, into parts that travel as the bodies of frames: its JSON first,
 * then each run of bytes. Leaves frames to frames.ts. Rule: what comes out is what went in, whatever keys or strings a
 * model or a file has put there; what JSON cannot say (a function, `undefined`) is left out as JSON leaves it out.
 */

/** No key that a person or a model writes begins so; one that does gets another before it. */
const ESCAPE = "\0";
const BYTES = `${ESCAPE}bytes`;
/** How JSON writes the first character of such a key. */
const ESCAPE_AS_JSON = "\\u0000";

export function pack(value: unknown): Uint8Array[] {
  const runs: Uint8Array[] = [];
  function replace(this: unknown, key: string, given: unknown): unknown {
    // A Buffer has turned itself into an object of numbers by now.
    const raw = (this as Readonly<Record<string, unknown>>)[key];
    if (raw instanceof Uint8Array) {
      runs.push(raw);
      return { [BYTES]: runs.length };
    }
    return escapeKeys(given, raw);
  }
  const json = JSON.stringify(value ?? null, replace) ?? "null";
  return [Buffer.from(json), ...runs];
}

/** Throws where the parts are not those of a value. */
export function unpack(parts: readonly Uint8Array[]): unknown {
  const [json, ...runs] = parts;
  if (json === undefined) throw new SyntaxError("there is no value");
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString("utf8");
  if (!text.includes(ESCAPE_AS_JSON)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown) => restore(value, runs));
}

function escapeKeys(given: unknown, raw: unknown): unknown {
  if (given !== raw || !isPlain(given) || !Object.keys(given).some((key) => key.startsWith(ESCAPE)))
    return given;
  return Object.fromEntries(
    Object.entries(given).map(([key, inner]) => [key.startsWith(ESCAPE) ? ESCAPE + key : key, inner]),
  );
}

function restore(value: unknown, runs: readonly Uint8Array[]): unknown {
  if (!isPlain(value)) return value;
  const keys = Object.keys(value);
  if (!keys.some((key) => key.startsWith(ESCAPE))) return value;
  if (keys.length === 1 && keys[0] === BYTES) {
    const run = runs[Number(value[BYTES]) - 1];
    if (run === undefined) throw new SyntaxError("bytes are missing");
    return run;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.startsWith(ESCAPE) ? key.slice(1) : key, inner]),
  );
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
