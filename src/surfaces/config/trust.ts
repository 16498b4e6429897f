/**
 * Owns which project files a person trusts: by the hash of what was read, kept in the person's configuration.
 * Leaves what trust opens to configure.ts. Rule: a file that has changed is not trusted.
 */
import { changeRootEntry, readPersonFile } from "./person-file.ts";
import { configurationPath } from "./places.ts";
import { readProjectFile } from "./project-file.ts";

export interface TrustedRoot {
  readonly root: string;
  readonly state: "trusted" | "changed" | "missing";
}

export function trustProject(root: string, hash: string, path = configurationPath()): Promise<void> {
  return changeRootEntry({ root, path, change: (entry) => ({ ...entry, trusted: hash }) });
}

/** Gives whether there was anything to take back. */
export async function revokeTrust(root: string, path = configurationPath()): Promise<boolean> {
  let wasTrusted = false;
  await changeRootEntry({
    root,
    path,
    change({ trusted, ...entry }) {
      wasTrusted = trusted !== undefined;
      return wasTrusted ? entry : undefined;
    },
  });
  return wasTrusted;
}

export function listTrusted(path = configurationPath()): readonly TrustedRoot[] {
  const trusted: TrustedRoot[] = [];
  for (const [root, entry] of Object.entries(readPersonFile(path).roots ?? {})) {
    if (entry.trusted === undefined) continue;
    const file = readProjectFile(root);
    const state = file.kind !== "read" ? "missing" : file.hash === entry.trusted ? "trusted" : "changed";
    trusted.push({ root, state });
  }
  return trusted.sort((one, other) => (one.root < other.root ? -1 : 1));
}
