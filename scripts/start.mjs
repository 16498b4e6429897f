/**
 * Owns `npm start`: from a clean clone to the demo on screen.
 * Leaves the demo to `haft demo`. Rule: what it runs is the built program, as a user gets it.
 */
import { build, installPackages, run, runMain } from "./prepare.mjs";

runMain(() => {
  installPackages();
  build();
  return run(process.execPath, ["dist/surfaces/cli/main.js", "demo"], { shell: false });
});
