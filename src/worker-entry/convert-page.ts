/**
 * Owns converting a page in the worker, with a limit of its time.
 * Leaves converting to text/html/. Rule: what takes too long ends, so that everything else that the worker does goes
 * on: a page must not hold up a command.
 */
import type { ConvertedPage, PageConversion } from "../contract/page.ts";

const MAX_MS = 3_000;

export async function convertPage(input: Omit<PageConversion, "signal">): Promise<ConvertedPage> {
  const { renderPage } = await import("../text/html/render-page.ts");
  const end = performance.now() + MAX_MS;
  const overdue = new Error("overdue");
  try {
    const page = renderPage({
      ...input,
      checkTime() {
        if (performance.now() > end) throw overdue;
      },
    });
    return { kind: "converted", page };
  } catch (error) {
    if (error !== overdue) throw error;
    return { kind: "not-converted", why: `took longer than ${MAX_MS} ms` };
  }
}
