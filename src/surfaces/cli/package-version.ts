/**
 * Owns the version that this program says it is. Leaves the number to package.json. Rule: written once, read here.
 */
import { createRequire } from "node:module";

const { version } = createRequire(import.meta.url)("../../../package.json") as { version: string };

export const PACKAGE_VERSION = version;
