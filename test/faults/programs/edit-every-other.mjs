// Edits every other place of `p.txt`: `<0>` becomes `[0]`. Arguments: the built haft, the root, 0 or 1.
// Prints the numbers of the edits that were reported as done, as JSON.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , dist, root, first] = process.argv;
const { mount } = await import(pathToFileURL(join(dist, "index.js")));
const tools = mount({ root });
const done = [];
for (let place = Number(first); place < 200; place += 2) {
  const edits = [{ old_text: `<${place}>`, new_text: `[${place}]` }];
  const output = await tools.call("edit", { path: "p.txt", edits });
  if (!output.isError) done.push(place);
  else if (output.refusal.code !== "file-changed") throw new Error(output.content);
}
await tools.close();
console.log(JSON.stringify(done));
