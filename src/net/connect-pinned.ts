/**
 * Owns opening a connection to one of the addresses that the screen gave, and TLS on it under the host's name.
 * Leaves what is said over it to its callers. Rule: no name is looked up here. A socket is opened to an address
 * written from its number, so there is nothing that could be resolved to another one.
 */
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Address, formatAddress, parseAddress } from "./address.ts";
import { trimFinalDots } from "./host-name.ts";

/** After this the next address is tried beside the first, as RFC 8305 advises; the first to answer is taken. */
const NEXT_ADDRESS_MS = 250;

/** A name with more addresses than this is not more reachable by the rest. */
const MAX_ADDRESSES = 8;

interface PinnedTarget {
  readonly addresses: readonly Address[];
  readonly port: number;
  readonly signal: AbortSignal;
}

/** Rejects with the first address's error where none answers, and when the signal aborts. */
export function connectPinned(of: PinnedTarget): Promise<Socket> {
  const waiting = of.addresses.slice(0, MAX_ADDRESSES);
  const open = new Set<Socket>();
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let firstError: Error | undefined;
    const settle = (winner: Socket | undefined, error: Error): void => {
      clearTimeout(timer);
      of.signal.removeEventListener("abort", onAbort);
      waiting.length = 0;
      for (const socket of open) if (socket !== winner) socket.destroy();
      if (winner === undefined) reject(error);
      else resolve(winner);
    };
    const onAbort = (): void => settle(undefined, new Error("aborted"));
    const startNext = (): void => {
      clearTimeout(timer);
      const address = waiting.shift();
      if (address === undefined) {
        if (open.size === 0) settle(undefined, firstError ?? new Error("no address"));
        return;
      }
      const socket = connectTcp({ host: formatAddress(address), port: of.port, noDelay: true });
      open.add(socket);
      // Kept for good: a socket whose error nobody hears takes the process down.
      socket.on("error", (error) => {
        firstError ??= error;
        if (open.delete(socket) && !of.signal.aborted) startNext();
      });
      socket.once("connect", () => {
        open.delete(socket);
        settle(socket, new Error("connected"));
      });
      timer = setTimeout(startNext, NEXT_ADDRESS_MS);
    };
    if (of.signal.aborted) onAbort();
    else {
      of.signal.addEventListener("abort", onAbort);
      startNext();
    }
  });
}

/** TLS for `host` on a connected socket. The certificate is verified whatever the process's environment says. */
export function startTls(of: {
  readonly socket: Socket;
  readonly host: string;
  readonly signal: AbortSignal;
  readonly authorities: readonly string[] | undefined;
}): Promise<Socket> {
  const name = trimFinalDots(of.host.replace(/^\[|\]$/g, ""));
  return new Promise((resolve, reject) => {
    const secure = connectTls({
      socket: of.socket,
      host: name,
      // A literal address has no name to send, and stands in the certificate as an address.
      ...(parseAddress(name) === undefined ? { servername: name } : {}),
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
      ...(of.authorities === undefined ? {} : { ca: [...of.authorities] }),
    });
    const settle = (error?: Error): void => {
      of.signal.removeEventListener("abort", onAbort);
      if (error === undefined) {
        resolve(secure);
        return;
      }
      secure.destroy();
      of.socket.destroy();
      reject(error);
    };
    const onAbort = (): void => settle(new Error("aborted"));
    secure.on("error", settle);
    secure.once("close", () => settle(new Error("closed during the handshake")));
    secure.once("secureConnect", () => settle());
    if (of.signal.aborted) onAbort();
    else of.signal.addEventListener("abort", onAbort);
  });
}
