/**
 * Owns what the pattern of a host in a rule means: `example.com`, `*.example.com`, `example.com:8443`, `*:443`.
 * Leaves addresses that a name leads to, and which of them may be reached, to the network screen.
 * Rule: both sides are compared as the URL standard spells a host: lower case, punycode, addresses in their one
 * form, no trailing dot, no user before it. A pattern without a port takes every port.
 */
import type { PatternFault } from "./path-pattern.ts";

export interface Host {
  readonly name: string;
  /** Absent where the call names none: then it is the one of the scheme. */
  readonly port?: number;
}

export interface HostPattern {
  covers(host: Host | undefined): boolean;
  /** A host that cannot be read is hit: what cannot be seen is not let by. */
  hits(host: Host | undefined): boolean;
}

/** `host`, `host:port`, or an address of the web; undefined where it is none. */
export function readHost(text: string): Host | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text);
  const rest = (scheme === null ? text : text.slice(scheme[0].length)).replace(/[/?#\\][\s\S]*$/, "");
  const bare = rest.slice(rest.lastIndexOf("@") + 1);
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(bare);
  const name = nameHost(parts?.[1] ?? `[${bare}]`);
  if (name === undefined) return undefined;
  const port = parts?.[2] === undefined ? SCHEME_PORTS[scheme?.[1]?.toLowerCase() ?? ""] : Number(parts[2]);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  return port === undefined ? { name } : { name, port };
}

const SCHEME_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ws: 80, wss: 443 };

function nameHost(text: string): string | undefined {
  if (text === "" || /[\s%*]/.test(text)) return undefined;
  let host: string;
  try {
    host = new URL(`http://${text}/`).hostname;
  } catch {
    return undefined;
  }
  const name = host.replace(/\.$/, "");
  // The same address in the clothes of the other family.
  const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(name);
  if (mapped === null) return name === "" || name.endsWith(".") ? undefined : name;
  const [high, low] = [Number.parseInt(mapped[1] ?? "", 16), Number.parseInt(mapped[2] ?? "", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** As a rule names it. */
export function showHost({ name, port }: Host): string {
  return port === undefined ? name : `${name}:${port}`;
}

export function compileHostPattern(text: string): HostPattern | PatternFault {
  const expected = "a host with or without a port: example.com, *.example.com, example.com:8443";
  if (text.includes("/") || text.includes("@")) return { expected };
  const wild = /^\*(?=$|:\d+$)/.test(text);
  const below = text.startsWith("*.");
  const host = readHost(wild ? text.replace("*", "any") : below ? text.slice(2) : text);
  if (host === undefined) return { expected };
  const named = (name: string) => wild || (below ? name.endsWith(`.${host.name}`) : name === host.name);
  return {
    covers: (asked) =>
      asked !== undefined && named(asked.name) && (host.port === undefined || host.port === asked.port),
    hits: (asked) =>
      asked === undefined ||
      (named(asked.name) &&
        (host.port === undefined || asked.port === undefined || host.port === asked.port)),
  };
}
