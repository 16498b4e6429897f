/**
 * Owns mounting `webfetch` for tests: over an empty root, with hosts of their own and a resolver that knows what it
 * is told.
 * Rule: no test reaches past the loopback; the toolset is closed with its test.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Answers, type LoopbackServer, serveHttp, stubResolver } from "../net/loopback.ts";
import { type LooseToolset, mountLoosely, type Output } from "../support/loose-toolset.ts";

export interface WebOptions {
  readonly allow?: readonly LoopbackServer[];
  readonly answers?: Answers;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface WebToolset extends LooseToolset {
  fetch(url: string, args?: Readonly<Record<string, unknown>>): Promise<Output>;
  /** The names that were looked up. */
  readonly asked: readonly string[];
}

export function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "haft-web-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

export function mountWeb({ allow = [], answers = {}, options = {} }: WebOptions = {}): WebToolset {
  const { lookup, asked } = stubResolver(answers);
  const network = { privateHosts: allow.map(({ host }) => host), lookup };
  const tools = mountLoosely(makeRoot(), { tools: ["webfetch"], network, ...options });
  onTestFinished(() => tools.close());
  return {
    ...tools,
    asked,
    fetch: (url, args = {}) => tools.call("webfetch", { url, ...args }),
  };
}

/** A server that gives the same body to everyone. */
export function serveBody(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = { "content-type": "text/html" },
  status = 200,
): Promise<LoopbackServer> {
  return serveHttp((_request, response) => {
    response.writeHead(status, headers).end(body);
  });
}
