/**
 * Owns what may be asked of other programs without a worker: where they lie.
 * Leaves looking to process/. Rule: synchronous, for mounting and for the doctor; the one look-up that starts a
 * program is for a host that insists on it.
 */

export { findBrowser, type WrongBrowser } from "../process/browser/find-browser.ts";
export { type ConfinementProbe, probeConfinement } from "../process/confine/probe.ts";
export { findBash } from "../process/find-bash.ts";
export { listRipgreps } from "../process/find-ripgrep.ts";
export { findRipgrepNow } from "../process/programs.ts";
