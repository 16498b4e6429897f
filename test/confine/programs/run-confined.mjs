/**
 * A host that runs commands confined until it is killed: `run-confined.mjs DIST ROOT COMMANDS [CONFINE]`.
 * Says `running` once all have begun.
 */
const [dist, root, commands, confine = "prefer"] = process.argv.slice(2);
const { mount } = await import(`${dist}/index.js`);
const tools = mount({ root, tools: ["bash"], confine });
for (const command of JSON.parse(commands)) void tools.call("bash", { command });
console.log("running");
setInterval(() => {}, 1_000);
