/**
 * Owns `npm run check`: what must hold before a change is offered, the tests apart.
 * Leaves the list to checks.mjs. Rule: every check runs, whatever the first ones say.
 */
import { allChecks, runChecks } from "./checks.mjs";
import { build, installPackages, runMain } from "./prepare.mjs";

runMain(() => {
  installPackages();
  build();
  return runChecks(allChecks).failed === 0 ? 0 : 1;
});
