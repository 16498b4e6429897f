/**
 * Works in a session until it is killed, and says of each call, on a line of its own, that it was answered.
 * Run by kill.test.ts: node work-until-killed.mjs <root>
 */
import { openSession } from "../../../dist/index.js";

const session = await openSession({ root: process.argv[2], sessionId: "mine", mode: "full-access" });
process.stdout.write("open\n");
for (let n = 0; ; n++) {
  const answered = async (name, args) => {
    const { id, content } = await session.call(name, args);
    process.stdout.write(`${JSON.stringify({ id, content })}\n`);
  };
  await Promise.all([
    answered("write", { path: `f${n % 5}.txt`, content: `${n}\n`.repeat(200), overwrite: true }),
    answered("read", { path: `f${n % 5}.txt` }),
    answered("write", { path: ".git/config", content: "refused" }),
    ...(n % 10 === 0 ? [answered("bash", { command: "seq 1 20" })] : []),
  ]);
}
