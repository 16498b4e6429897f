/**
 * A host mounts the file tools next to its own: the definitions go into its list of tools, `wrap` takes our calls out
 * of its dispatcher. Prints `5`, then what `file_read` says of a file with two lines.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { files } from "haft";

const root = await mkdtemp(join(tmpdir(), "files-example-"));
try {
  await writeFile(join(root, "hello.txt"), "hello\nworld\n");

  const toolset = files({ root });
  const tools = [...toolset.definitions()];

  const dispatch = toolset.wrap(async () => "the host's own tools");

  const out = await dispatch({ name: "file_read", args: '{"path":"hello.txt"}' });
  console.log(tools.length);
  console.log(out);

  await toolset.close();
} finally {
  await rm(root, { recursive: true, force: true });
}
