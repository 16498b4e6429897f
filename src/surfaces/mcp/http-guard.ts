/**
 * Owns who may speak to the server over HTTP. Leaves the protocol to the SDK.
 * Rule: judged from the headers alone, before a byte of the body is read. The attacks: a page in the person's browser
 * that reaches a local server by a name of its own (DNS rebinding) or directly, and anybody else on the network.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";

export interface HttpGuard {
  /** What is wrong with a request; undefined where it may go on. */
  judge(headers: GuardedHeaders): Denied | undefined;
}

export interface GuardedHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
}

export interface Denied {
  readonly status: 401 | 403;
  readonly why: string;
}

export function createHttpGuard(of: {
  readonly host: string;
  readonly token?: string | undefined;
}): HttpGuard {
  const { host, token } = of;
  const expected = token === undefined ? undefined : hash(token);
  const named = isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
  const hostnames = [...localhostAllowedHostnames(), named];
  const origins = [...localhostAllowedOrigins(), named];
  // Who listens on every address does not know the names that lead there; there the token alone decides.
  const checksHost = !isEveryAddress(host);
  return {
    judge({ host: asked, origin, authorization }) {
      const isHost = !checksHost || validateHostHeader(asked, hostnames).ok;
      if (!isHost) return { status: 403, why: "this Host is not served here" };
      if (!validateOriginHeader(origin, origins).ok)
        return { status: 403, why: "pages of this Origin are not served here" };
      if (expected !== undefined && !timingSafeEqual(hash(readBearer(authorization)), expected))
        return { status: 401, why: "the bearer token is missing or wrong" };
      return undefined;
    },
  };
}

/** Whether only programs of this machine can reach it. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function isEveryAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

function readBearer(authorization = ""): string {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
}

/** Of one length, so that comparing takes one time whatever was sent. */
function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
