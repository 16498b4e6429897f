/**
 * Owns building PDF documents byte by byte, sound ones and ones that no program would write.
 * Leaves those of real programs to fixtures/. Rule: what is wrong in a document is what its test names, nothing else.
 */
import { deflateSync } from "node:zlib";

export interface BuiltPage {
  /** The operators that draw it; several streams where it is a list. */
  readonly draw: string | readonly (string | Buffer)[];
  /** Further entries of the page. */
  readonly entries?: string;
  /** Further entries of its resources. */
  readonly resources?: string;
}

/** An object by its number, as it stands between `obj` and `endobj`. */
export type Objects = ReadonlyMap<number, string | Buffer>;

export interface Written {
  readonly header?: string;
  /** Further entries of the trailer. */
  readonly trailer?: string;
}

/** Courier in the usual encoding is object 3; pages are at 10, 12, …, their streams behind them; `more` is as it is. */
export function buildPdf(
  pages: readonly BuiltPage[],
  more: Objects = new Map(),
  written: Written = {},
): Buffer {
  const objects = new Map<number, string | Buffer>([
    [1, "<< /Type /Catalog /Pages 2 0 R >>"],
    [3, "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"],
  ]);
  const kids: string[] = [];
  let number = 10;
  for (const { draw, entries = "", resources = "" } of pages) {
    const page = number++;
    kids.push(`${page} 0 R`);
    const streams = (typeof draw === "string" ? [draw] : draw).map((one) => {
      objects.set(number, Buffer.isBuffer(one) ? one : stream(one));
      return `${number++} 0 R`;
    });
    objects.set(
      page,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents [${streams.join(" ")}] ` +
        `/Resources << /Font << /F 3 0 R >> ${resources} >> ${entries} >>`,
    );
  }
  objects.set(2, `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${pages.length} >>`);
  for (const [at, object] of more) objects.set(at, object);
  return writeObjects(objects, written);
}

export function writeObjects(
  objects: Objects,
  { header = "%PDF-1.7\n", trailer = "" }: Written = {},
): Buffer {
  const parts: Buffer[] = [Buffer.from(`${header}%\xe2\xe3\xcf\xd3\n`, "latin1")];
  let length = parts[0]?.length ?? 0;
  const offsets = new Map<number, number>();
  for (const [number, object] of [...objects].sort(([a], [b]) => a - b)) {
    offsets.set(number, length);
    const body = Buffer.isBuffer(object) ? object : Buffer.from(object, "latin1");
    const whole = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from("\nendobj\n")]);
    parts.push(whole);
    length += whole.length;
  }
  const table = [...offsets].map(([number, at]) => `${number} 1\n${String(at).padStart(10, "0")} 00000 n \n`);
  const size = Math.max(...objects.keys()) + 1;
  parts.push(
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f \n${table.join("")}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\n` +
        `startxref\n${length}\n%%EOF\n`,
      "latin1",
    ),
  );
  return Buffer.concat(parts);
}

export function stream(data: string | Buffer, entries = ""): Buffer {
  const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data, "latin1");
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
}

export function packed(data: Buffer): Buffer {
  return stream(deflateSync(data, { level: 9 }), "/Filter /FlateDecode");
}

/** Lines of text, each at its place: x, y from the bottom, what is written. */
export function write(lines: readonly (readonly [x: number, y: number, text: string])[], size = 12): string {
  const shown = lines.map(([x, y, text]) => `1 0 0 1 ${x} ${y} Tm (${text.replace(/[\\()]/g, "\\$&")}) Tj`);
  return `BT /F ${size} Tf ${shown.join("\n")} ET`;
}
