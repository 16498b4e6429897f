/**
 * Owns the door to the disk of a host's own tools: the files that a call has declared, and no others.
 * Leaves containment, guards and atomic replacement to root/. Rule: what was declared as read is not written. Whatever
 * was read in a call and has changed since is not overwritten by it.
 */
import { Buffer } from "node:buffer";
import type { Access, Place } from "../contract/access.ts";
import type { ToolContext } from "../contract/context.ts";
import { isRefusal, type Refusal } from "../contract/refusal.ts";
import { withLocks } from "../root/lock.ts";
import { type FileVersion, withWhole } from "../root/open-file.ts";
import { replaceFile } from "../root/replace-file.ts";
import { coverageOf } from "../text/seen.ts";

/** The files of one call of an own tool: those that its `access` declares, each by the argument that names it. */
export interface OwnFiles {
  /**
   * The whole bytes of a file that `access` declares under this argument, as read or written. At most `maxBytes`
   * (default 10 MiB); larger ones are refused. A refusal says what is wrong; return it. Throws for what is not declared.
   */
  read(argument: string, options?: { readonly maxBytes?: number }): Promise<Uint8Array | Refusal>;
  /** Whether the whole present text of the file was shown to the model, or written by it: what `write` wants to know. */
  isKnown(argument: string): Promise<boolean>;
  /**
   * Replaces the whole file, or makes it and its directories, in one atomic step: other processes see the old bytes
   * or the new ones. Text is written as UTF-8. Refused where it has changed since this call read it. Throws for what
   * is not declared with the effect `writes`.
   */
  write(argument: string, content: Uint8Array | string): Promise<{ readonly created: boolean } | Refusal>;
}

/** In step with what edit takes: a file that an agent works on. */
const MAX_BYTES = 10 * 1024 * 1024;

type Version = FileVersion | "absent" | "any";

/** `changed` gathers the shown paths of what was written. */
export function openOwnFiles(
  access: Access,
  context: Pick<ToolContext, "root" | "signal" | "ports" | "place">,
): { readonly files: OwnFiles; readonly changed: ReadonlySet<string> } {
  const { root, signal, ports } = context;
  const changed = new Set<string>();
  const known = new Map<string, Version>();
  const find = (argument: string, effects: readonly string[]): Place => {
    const use = access.paths.find((one) => one.argument === argument);
    if (use === undefined || !effects.includes(use.effect))
      throw new Error(`the access of the call does not declare that it ${effects.join(" or ")} ${argument}`);
    return context.place(argument);
  };
  const files: OwnFiles = {
    async read(argument, { maxBytes = MAX_BYTES } = {}) {
      const place = find(argument, ["reads", "writes"]);
      return withWhole({ root, place, maxBytes, signal }, async ({ bytes, version }) => {
        known.set(place.real, version);
        return bytes;
      });
    },
    async isKnown(argument) {
      const place = find(argument, ["reads", "writes"]);
      const request = { root, place, maxBytes: MAX_BYTES, signal };
      const known = await withWhole(
        request,
        async ({ bytes }) => coverageOf(ports.seen(place.real), bytes).known,
      );
      return known === true;
    },
    async write(argument, content) {
      const place = find(argument, ["writes"]);
      const pieces = [typeof content === "string" ? Buffer.from(content, "utf8") : content];
      const before = known.get(place.real);
      const put = (expected: Version) => replaceFile({ root, place, pieces, expected, signal });
      const written = await withLocks({ paths: [place.real], signal }, async () => {
        const replaced = await withWhole({ root, place, maxBytes: MAX_BYTES, signal }, (old) => {
          ports.keepOldBytes?.(place.real, old.bytes);
          return put(before ?? old.version);
        });
        if (!isRefusal(replaced)) return replaced;
        if (replaced.code === "path-missing" && before === undefined) return put("absent");
        return replaced.code === "file-too-large" ? put(before ?? "any") : replaced;
      });
      if (isRefusal(written)) return written;
      known.set(place.real, written.version);
      changed.add(place.shown);
      return { created: written.created };
    },
  };
  return { files: Object.freeze(files), changed };
}
