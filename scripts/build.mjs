/**
 * Owns `npm run build`. Leaves the work to prepare.mjs. Rule: dist/ holds what src/ says and nothing else.
 */
import { build, runMain } from "./prepare.mjs";

runMain(() => {
  build();
  return 0;
});
