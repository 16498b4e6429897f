/**
 * Owns the thread that searches files: it takes batches, searches them one after another and answers each.
 * Leaves walking and counting to the host's thread. Rule: files are opened as everywhere, through their verified
 * folder; a cancelled search is left at the next pause.
 */
import { parentPort } from "node:worker_threads";
import type { FilePlace } from "../../../root/folder-opener.ts";
import { closeFileSearch, makeFileSearch } from "../file-search.ts";
import { beginFile, type FileOutcome, type FileSearch, finishFile } from "../search-file.ts";
import {
  type Batch,
  type FromWorker,
  type PackedOutcome,
  packOutcome,
  type ToWorker,
  unpackPlaces,
} from "./messages.ts";

interface Running {
  readonly base: Omit<FileSearch, "rowsFor">;
  readonly cancelled: Int32Array;
}

const GONE: FileOutcome = { kind: "gone" };
const running = new Map<number, Running>();

parentPort?.on("message", (message: ToWorker) => {
  if (message.kind === "begin") {
    running.set(message.search, { base: makeFileSearch(message.plan), cancelled: message.cancelled });
    return;
  }
  const search = running.get(message.search);
  if (search === undefined) return;
  if (message.kind === "batch") {
    send({ kind: "done", batch: message.batch, outcomes: searchBatch(search, message.work) });
  } else {
    closeFileSearch(search.base);
    running.delete(message.search);
  }
});
send({ kind: "ready" });

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function searchBatch({ base, cancelled }: Running, { files, rowsFor }: Batch): PackedOutcome[] {
  const search = { ...base, rowsFor };
  const outcomes: PackedOutcome[] = [];
  for (const file of unpackPlaces(files)) {
    // Nobody waits for the answer then; the next search does.
    if (Atomics.load(cancelled, 0) !== 0) break;
    outcomes.push(packOutcome(searchOne(search, file, cancelled)));
  }
  return outcomes;
}

function searchOne(search: FileSearch, file: FilePlace, cancelled: Int32Array): FileOutcome {
  const begun = beginFile(search, file);
  if ("kind" in begun) return begun;
  const work = finishFile(search, begun);
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    if (Atomics.load(cancelled, 0) === 0) continue;
    work.return(GONE);
    return GONE;
  }
}
