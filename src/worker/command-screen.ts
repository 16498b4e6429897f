/**
 * Owns the one way of confined commands to the network: a proxy behind the screen, on a socket that a relay pipes to.
 * Leaves the verdicts to net/ and to the rules of a session, the relay to process/confine/. Rule: the same proxy and the
 * same screen as for a browser; opened with the first command that needs it, one for all commands of a toolset, so that it
 * cannot tell them apart: what it asks of the rules is what holds for every command.
 */
import type { MayConnect } from "../contract/network.ts";
import { hostOf } from "../net/private-hosts.ts";
import type { FilteringProxy } from "../net/proxy.ts";
import type { ScreenOptions } from "../net/screen.ts";
import { RELAY_PORT, type RelayRequest } from "../process/confine/relay-words.ts";
import { makePrivateFolder, type PrivateFolder } from "../root/private-folder.ts";

export interface CommandScreenOptions {
  readonly network: Pick<ScreenOptions, "lookup" | "privateHosts">;
  /** Whether the rules let a command connect; absent where nobody has any. */
  readonly mayConnect?: MayConnect | undefined;
  /** The relay's file, as built. */
  readonly entry: string;
}

export interface CommandScreen {
  open(of: { readonly nsenter: string; readonly isSuperuser: boolean }): Promise<RelayRequest>;
  /** By which a command's programs find the way. */
  readonly variables: Readonly<Record<string, string>>;
  /** How much was refused so far. */
  count(): number;
  /** What was refused since that many, in words, each once. */
  refusedSince(count: number): readonly string[];
  close(): Promise<void>;
}

/** Of the last refusals. */
const MAX_KEPT = 200;

interface Opened {
  readonly proxy: FilteringProxy;
  readonly folder: PrivateFolder;
}

export function openCommandScreen(root: string, options: CommandScreenOptions): CommandScreen {
  const { entry, network } = options;
  const kept: { readonly number: number; readonly words: string }[] = [];
  let count = 0;
  let opening: Promise<Opened> | undefined;
  const note = (words: string): void => {
    kept.push({ number: ++count, words });
    if (kept.length > MAX_KEPT) kept.shift();
  };
  return {
    async open({ nsenter, isSuperuser }) {
      opening ??= openProxyBehind({ root, options, note });
      const { folder } = await opening.catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return { nsenter, isSuperuser, entry, socket: folder.socket };
    },
    variables: proxyVariables(network.privateHosts ?? []),
    count: () => count,
    refusedSince: (since) => [
      ...new Set(kept.filter(({ number }) => number > since).map(({ words }) => words)),
    ],
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.proxy.close();
      await opened?.folder.remove();
    },
  };
}

async function openProxyBehind(of: {
  readonly root: string;
  readonly options: CommandScreenOptions;
  readonly note: (words: string) => void;
}): Promise<Opened> {
  const [{ openScreen }, { openProxy }, { isScreened }, { explainBlock }] = await Promise.all([
    import("../net/screen.ts"),
    import("../net/proxy.ts"),
    import("../net/proxy-request.ts"),
    import("../net/net-refusal.ts"),
  ]);
  const { network, mayConnect } = of.options;
  const screen = openScreen({ ...network, ...(mayConnect === undefined ? {} : { mayConnect }) });
  const folder = await makePrivateFolder(of.root);
  const proxy = await openProxy({
    socket: folder.socket,
    isIdle: true,
    screen: async (url, signal) => {
      const verdict = await screen(url, signal);
      if (verdict.kind === "net-refusal" && isScreened(verdict))
        of.note(`${verdict.facts.url}: ${explainBlock(verdict.code, verdict.facts)}`);
      return verdict;
    },
  });
  return { proxy, folder };
}

/** The network of the commands' own; a name that a person has opened on the host's is asked of the screen instead. */
const OWN_NAMES = ["localhost", "127.0.0.1", "::1"];

export function proxyVariables(privateHosts: readonly string[]): Record<string, string> {
  const proxy = `http://127.0.0.1:${RELAY_PORT}`;
  const opened = privateHosts.map(hostOf);
  const own = OWN_NAMES.filter((name) => !opened.includes(name)).join(",");
  return {
    // Programs differ in which spelling they read.
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: own,
    http_proxy: proxy,
    https_proxy: proxy,
    no_proxy: own,
    // Node reads them only where it is told to, and only its later versions.
    NODE_USE_ENV_PROXY: "1",
  };
}
