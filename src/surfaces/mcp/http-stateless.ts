/**
 * Owns the clients of the 2026 revision over HTTP, who send no session with their requests: one session answers all.
 * Leaves those with sessions to http-clients.ts. Rule: their root is the person's, since nothing tells them apart.
 */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { fallBack } from "./adopt-root.ts";
import { createAsks } from "./asks.ts";
import { createConnection } from "./connection.ts";
import type { HttpClientOptions } from "./http-clients.ts";
import { createSettledQuestion } from "./root-question.ts";
import { createRootSwitch } from "./root-switch.ts";

/** The one session of all requests that name none (2026). */
export function createStateless(options: HttpClientOptions) {
  const asks = createAsks();
  const roots = createRootSwitch((root) => options.openRoot(root, asks.approve));
  let taken: Promise<unknown> | undefined;
  const take = () => {
    const { root, cwd, warn } = options;
    taken ??=
      root === undefined
        ? fallBack("requests without a session name no roots", { cwd, roots, warn })
        : roots.take(root);
    return taken;
  };
  const handler = createMcpHandler(
    () =>
      createConnection({
        ...options,
        roots,
        question: createSettledQuestion(),
        asks,
        era: "modern",
        onCallStart: () => {},
        onCallEnd: () => {},
      }),
    {
      legacy: "reject",
      maxRequestBodySize: options.maxBodyBytes,
      onerror: (error) => options.warn(error.message),
    },
  );
  return {
    async answer(request: Request): Promise<Response> {
      await take();
      return handler.fetch(request);
    },
    async close() {
      await handler.close();
      await roots.close();
    },
  };
}
