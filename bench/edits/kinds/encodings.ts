/**
 * Owns edits of plain ASCII in files that are not plain UTF-8.
 * Rule: only the words of the edit may change; every other byte of the file is one that a tool could spoil.
 */
import { drawChange } from "../change.ts";
import { cutLines, cutParts } from "../cut.ts";
import { type Document, drawDocument, mapTexts } from "../document.ts";
import { type Encoder, makeLanding } from "../task.ts";
import type { Kind } from "./kind.ts";

interface Script {
  readonly name: string;
  readonly encoders: readonly Encoder[];
  readonly words: readonly string[];
}

const LATIN_1: Encoder = {
  name: "latin1",
  encode: (text) => (/^[\0-\xff]*$/.test(text) ? Buffer.from(text, "latin1") : undefined),
};
const UTF_16LE: Encoder = { name: "utf-16le", encode: (text) => Buffer.from(`\uFEFF${text}`, "utf16le") };
const UTF_16BE: Encoder = {
  name: "utf-16be",
  encode: (text) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
};
const UTF_8_MARKED: Encoder = { name: "utf-8 with a mark", encode: (text) => Buffer.from(`\uFEFF${text}`) };

const EUROPEAN = [
  "naïve café",
  "Zürich, größer",
  "déjà vu à l'œil".replace("œ", "oe"),
  "señal",
  "£ 20 ± 5 µm",
];
/** 表 and ソ end in the byte of a backslash, 能 and ボ in that of a closing brace or bar. */
const JAPANESE = ["表示する", "ソース設定", "可能性の予定", "日本語のテスト", "ボタン構成"];
const CHINESE = ["测试数据", "默认设置", "打开文件", "返回结果"];

const SCRIPTS: readonly Script[] = [
  { name: "Latin-1 file", encoders: [LATIN_1], words: EUROPEAN },
  { name: "Shift_JIS file", encoders: [encoderOf("shift_jis")], words: JAPANESE },
  { name: "GBK file", encoders: [encoderOf("gbk")], words: CHINESE },
  { name: "UTF-16 file", encoders: [UTF_16LE, UTF_16BE], words: [...JAPANESE, ...EUROPEAN, "😀 𝒳"] },
  { name: "byte order mark", encoders: [UTF_8_MARKED], words: [...JAPANESE, ...EUROPEAN] },
];

/** An encoder made of the decoder that Node has. */
function encoderOf(name: string): Encoder {
  let table: Map<string, Buffer> | undefined;
  const tabulate = (): Map<string, Buffer> => {
    const decoder = new TextDecoder(name);
    const made = new Map<string, Buffer>();
    for (let first = 0x81; first <= 0xfe; first++) {
      for (let second = 0x40; second <= 0xfe; second++) {
        const text = decoder.decode(Uint8Array.of(first, second));
        if ([...text].length === 1 && text !== "\uFFFD" && !made.has(text))
          made.set(text, Buffer.from([first, second]));
      }
    }
    return made;
  };
  return {
    name,
    encode(text) {
      table ??= tabulate();
      const parts: Buffer[] = [];
      for (const character of text) {
        const bytes = character < "\x80" ? Buffer.from(character) : table.get(character);
        if (bytes === undefined) return undefined;
        parts.push(bytes);
      }
      return Buffer.concat(parts);
    },
  };
}

export const encodingKinds: readonly Kind[] = SCRIPTS.map(({ name, encoders, words }) => ({
  name,
  outcome: "land",
  make(random, corpus) {
    const plain = drawDocument(random, corpus);
    const document: Document = mapTexts(plain, (text) => {
      const ascii = text.replace(/[^\x00-\x7f]/g, "?");
      if (!random.chance(0.25)) return ascii;
      return random.chance(0.7) ? `${ascii} // ${random.pick(words)}` : `/* ${random.pick(words)} */${ascii}`;
    });
    const isPart = random.chance(0.4);
    const cut = isPart ? cutParts(random, document, { max: 2 }) : cutLines(random, document, { max: 6 });
    if (cut?.lines.some((line) => /[^\x00-\x7f]/.test(line)) !== false) return undefined;
    const fresh = drawChange(random, {
      lines: cut.lines,
      extension: document.extension,
      ...(isPart && { kinds: ["word", "rename"] as const }),
    });
    const encoder = random.pick(encoders);
    return fresh && makeLanding({ kind: name, document, cut, fresh, encoder, exact: true });
  },
}));
