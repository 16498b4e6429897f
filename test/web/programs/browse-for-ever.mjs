/**
 * A host that is killed while it visits a page.
 * Usage: node browse-for-ever.mjs DIST ROOT HOST:PORT
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [dist = "", root = "", host = ""] = process.argv.slice(2);
const { mount } = await import(pathToFileURL(join(dist, "index.js")).href);
const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
const tools = mount({ root, tools: ["browse"], network: { privateHosts: [host], lookup } });
await tools.call("browse", { url: `http://${host}/` });
