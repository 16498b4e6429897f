/**
 * Owns what pages connect to from a browser whose files and processes are fenced. Leaves it to its own test: that counts
 * what arrives at this machine, and so needs its network. Rule: as in pages.test.ts.
 */
import { it, vi } from "vitest";
import { probe, saySkipped } from "./confine-fixture.ts";

saySkipped();
vi.setConfig({ testTimeout: 120_000 });
process.env.HAFT_TEST_CONFINE = "prefer";
if (process.env.HAFT_LONG === "1" && probe.canFence) await import("../web/browse-ways-out.test.ts");
else it.skip("ways out of pages are tried confined with HAFT_LONG=1");
