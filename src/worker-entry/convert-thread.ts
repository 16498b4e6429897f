/**
 * Owns the thread on which one page is converted. Leaves its limits to convert-page.ts.
 * Rule: one page, one answer.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { ConvertedPage, PageConversion } from "../contract/page.ts";
import { renderPage } from "../text/html/render-page.ts";

const page = renderPage(workerData as Omit<PageConversion, "signal">);
parentPort?.postMessage({ kind: "converted", page } satisfies ConvertedPage);
