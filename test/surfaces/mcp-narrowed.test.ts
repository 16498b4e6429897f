/**
 * Owns what a client lists of a root whose project narrows: the tools that its calls will find.
 * Leaves what narrows to src/surfaces/config. Rule: a real client and the built server.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, vi } from "vitest";
import { connect, makeFolder, textOf } from "./start-server.ts";

it("lists the tools that the project of the client's root leaves, and says when another root has others", async () => {
  const [narrow, wide] = [makeFolder(), makeFolder()];
  writeFileSync(join(narrow, "haft.config.json"), '{"tools":["read","edit"],"readOnly":true}');
  let root = narrow;
  const changed = vi.fn();
  const { client, errors } = await connect({
    args: [],
    env: { XDG_CONFIG_HOME: makeFolder() },
    client: { capabilities: { roots: { listChanged: true } } },
    prepare(one) {
      one.setRequestHandler("roots/list", () => ({ roots: [{ uri: pathToFileURL(root).href }] }));
      one.setNotificationHandler("notifications/tools/list_changed", () => changed());
    },
  });
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names()).toEqual(["read"]);
  expect(textOf(await client.callTool({ name: "edit", arguments: {} }))).toContain("no tool");
  root = wide;
  await client.sendRootsListChanged();
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1), { timeout: 10_000 });
  expect(await names()).toContain("bash");
  expect(errors()).toBe("");
});
