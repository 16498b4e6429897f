/**
 * Owns the list of tools that are held to their promises. Leaves each tool's calls to the file named as the tool.
 * Rule: a tool of the catalogue that is not here fails promises.test.ts.
 */
import { bashPromises } from "./bash.ts";
import { browsePromises } from "./browse.ts";
import { commitmentsPromises } from "./commitments.ts";
import { deletePromises } from "./delete.ts";
import { editPromises } from "./edit.ts";
import { globPromises } from "./glob.ts";
import { grepPromises } from "./grep.ts";
import { jobsPromises } from "./jobs.ts";
import { listPromises } from "./list.ts";
import { movePromises } from "./move.ts";
import { readPromises } from "./read.ts";
import { recallPromises } from "./recall.ts";
import type { Registration } from "./registration.ts";
import { webfetchPromises } from "./webfetch.ts";
import { writePromises } from "./write.ts";

export const REGISTRY: readonly Registration[] = [
  readPromises,
  listPromises,
  globPromises,
  grepPromises,
  editPromises,
  writePromises,
  deletePromises,
  movePromises,
  bashPromises,
  jobsPromises,
  webfetchPromises,
  browsePromises,
  recallPromises,
  commitmentsPromises,
];
