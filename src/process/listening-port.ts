/**
 * Owns telling whether something listens on a TCP port of this machine.
 * Leaves waiting for it to wait-for-job.ts. Rule: on Linux the system's own table is read and nothing is connected, so
 * that a server that serves one client alone is not spoilt; elsewhere a connection to loopback is tried.
 */
import { readFileSync } from "node:fs";
import { connect } from "node:net";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
const LISTENS = "0A";
const CONNECT_MS = 1_000;

/** `pid` is a process of a job that may have a network of its own: what listens on the host's is none of its. */
export async function isListening(port: number, pid?: number): Promise<boolean> {
  const paths = pid === undefined ? TABLES : TABLES.map((path) => path.replace("/proc/", `/proc/${pid}/`));
  const tables = paths.map(readTable);
  if (pid !== undefined || tables.some((table) => table !== undefined))
    return tables.some((table) => table !== undefined && listens(table, port));
  return (await canConnect("127.0.0.1", port)) || canConnect("::1", port);
}

/** `sl local_address rem_address st …`, addresses as `0100007F:1F90`. */
export function listens(table: string, port: number): boolean {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table.split("\n").some((line) => {
    const [, local, , state] = line.trim().split(/\s+/);
    return state === LISTENS && local?.endsWith(wanted) === true;
  });
}

function readTable(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const finish = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once("connect", () => finish(true));
    socket.once("timeout", () => finish(false));
    socket.once("error", () => finish(false));
  });
}
