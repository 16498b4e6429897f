/**
 * Owns pages read by a browser that has no network but its relay. Leaves them to their own tests, a few that always run to
 * browse.test.ts. Rule: the same visits, the same answers; with HAFT_LONG=1 alone, for each starts a browser.
 */
import { it, vi } from "vitest";
import { probe, saySkipped } from "./confine-fixture.ts";

saySkipped();
vi.setConfig({ testTimeout: 120_000 });
process.env.HAFT_TEST_CONFINE = "require";
if (process.env.HAFT_LONG === "1" && probe.canCutNetwork) await import("../web/browse.test.ts");
else it.skip("pages are read confined with HAFT_LONG=1");
