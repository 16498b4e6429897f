/**
 * Owns the folder of one run of a browser: its profile, what it prints, its temporary files.
 * Leaves starting it to run-browser.ts. Rule: new and empty for each run, and removed at its end, however it ends: no
 * cookie, cache or page of one call is there for the next.
 */
import { mkdirSync, mkdtempSync, openSync, readlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { scrubEnvironment } from "../environment.ts";

export interface Profile {
  readonly path: string;
  /** In it, for temporary files. */
  readonly temporary: string;
  /** Opened for appending, so that what is cut off stays cut off. */
  readonly dom: number;
  readonly errors: number;
  /** What the browser sees. Its home is the profile: a download, a font cache or a key ring of it go with it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Once the browser has ended. */
  remove(): Promise<void>;
}

export interface ProfileRequest {
  /** Where it is made; in a fence a folder for this run alone. */
  readonly folder: string;
  /** Whether the browser finds its own folder at `/tmp`, and sees no other. */
  readonly isFenced: boolean;
}

/** The address of a Unix socket, and what Chromium puts below TMPDIR for its own: it does not start where that is longer. */
const SOCKET_PATH_BYTES = process.platform === "linux" ? 108 : 104;
const SOCKET_NAME_BYTES = "/org.chromium.Chromium.XXXXXX/SingletonSocket\0".length;

const REMOVALS = 20;
const REMOVAL_MS = 50;

/** Throws where there is no room for it. */
export function makeProfile({ folder, isFenced }: ProfileRequest): Profile {
  const path = mkdtempSync(join(folder, "browser-"));
  const own = join(path, "t");
  const fits = Buffer.byteLength(own) + SOCKET_NAME_BYTES <= SOCKET_PATH_BYTES;
  mkdirSync(own, 0o700);
  const temporary = isFenced ? "/tmp" : fits ? own : folder;
  const home = {
    HOME: path,
    USERPROFILE: path,
    XDG_CONFIG_HOME: path,
    XDG_DATA_HOME: path,
    XDG_CACHE_HOME: path,
  };
  // A path to a bus is a way to programs that other rules hold for.
  const noBus = { DBUS_SESSION_BUS_ADDRESS: "disabled:", DBUS_SYSTEM_BUS_ADDRESS: "disabled:" };
  return {
    path,
    temporary: own,
    dom: openSync(join(path, "dom.html"), "ax+", 0o600),
    errors: openSync(join(path, "errors.txt"), "ax+", 0o600),
    environment: {
      ...scrubEnvironment(process.env),
      ...home,
      ...noBus,
      TMPDIR: temporary,
      TMP: temporary,
      TEMP: temporary,
    },
    async remove() {
      // Then the folder is this run's alone, and a host that was killed cannot remove it.
      if (isFenced) return removeTree(folder);
      const socket = findSocketFolder(path, folder);
      if (socket !== undefined) await removeTree(socket);
      await removeTree(path);
    },
  };
}

/** Where the socket had to lie beside the profile: a link in the profile says. Only a folder of that kind is removed. */
function findSocketFolder(profile: string, folder: string): string | undefined {
  try {
    const found = dirname(readlinkSync(join(profile, "SingletonSocket")));
    return dirname(found) === folder && /\/org\.chromium\.[^/]+$/.test(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** What ended last may have left a file in a folder that was just read: looked at again. */
async function removeTree(path: string): Promise<void> {
  for (let round = 1; ; round++) {
    try {
      return await rm(path, { recursive: true, force: true });
    } catch (error) {
      if (round === REMOVALS) throw error;
      await sleep(REMOVAL_MS);
    }
  }
}
