/**
 * Owns the words of a relay: what is asked for, the fence around it, how its network is entered, where it listens.
 * Leaves starting it to relay.ts. No I/O.
 */
import { namespaceArguments } from "./bubblewrap-arguments.ts";

export interface RelayRequest {
  /** Absolute path of what enters a namespace. */
  readonly nsenter: string;
  /** Of the screen. Real path. */
  readonly socket: string;
  /** The relay's file, as built. */
  readonly entry: string;
  /** Whether this is the system's root, who needs no namespace of users. */
  readonly isSuperuser: boolean;
}

/** The one thing that listens there when the first command begins, so that any port is free. */
export const RELAY_PORT = 17_128;

/**
 * What the relay sees: the system read-only, no device but the empty one. No `--dev`: for that bubblewrap makes a second
 * namespace of users where a plain user runs it, and the network belongs to the first.
 */
export function relayArguments(): string[] {
  return [
    ...namespaceArguments({ network: "none", isSuperuser: false }),
    ...["--ro-bind", "/", "/", "--tmpfs", "/dev", "--dev-bind", "/dev/null", "/dev/null", "--proc", "/proc"],
  ];
}

/** The words that enter the namespaces which these files stand for. */
export function enterWords(of: {
  readonly nsenter: string;
  readonly net: string;
  /** Absent for the system's root. */
  readonly user: string | undefined;
}): string[] {
  const user = of.user === undefined ? [] : [`--user=${of.user}`, "--preserve-credentials"];
  return [of.nsenter, ...user, `--net=${of.net}`, "--"];
}
