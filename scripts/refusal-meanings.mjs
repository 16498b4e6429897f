/**
 * Owns one line a refusal code for docs/refusals.md: when it is given.
 * Leaves the facts to src/contract/refusal.ts and the model's words to src/toolset/phrase.ts.
 * Rule: every code has a line; generate-docs.mjs fails where one is missing or left over.
 */
export const refusalMeanings = {
  "path-outside-root": "The path leads outside the root: by `..`, as an absolute path, or through a link.",
  "path-missing":
    "Nothing is there. The facts name the nearest directory, same-named files and near spellings.",
  "path-invalid": "The text cannot be a path: a NUL in it, too long, or the like.",
  "path-protected":
    "The path is `.git`, `.haft`, the project's configuration or the root itself, or holds one of them.",
  "path-not-regular": "A FIFO, socket or device. It was not opened.",
  "path-is-directory": "A directory stands where a file is needed, or `recursive` is missing.",
  "path-not-directory": "A file stands where the path needs a directory.",
  "path-exists": "The destination is there already.",
  "path-denied": "The system does not allow it: permissions, or a read-only file system.",
  "path-changed": "What the path leads to was exchanged while the call ran.",
  "move-into-itself": "The destination lies inside what would be moved.",
  "file-binary": "The file is not text. The facts name its kind.",
  "file-too-large": "The file is larger than this tool takes at once.",
  "file-encoding": "The change cannot be written in the file's encoding.",
  "file-unread":
    "The file would be replaced without having been shown. The facts name the lines not shown, and why no read shows it where none does.",
  "file-changed": "The file changed since it was shown. The facts name the lines.",
  "file-generated": "The file's header says that a program writes it.",
  "file-hard-links": "The file has several names, and replacing it would split one off.",
  "file-owner": "The file belongs to an owner that a replacement could not keep.",
  "notebook-broken": "The edits would leave a notebook that is no valid JSON.",
  "image-invalid": "The image is damaged, or too large to be shown.",
  "pdf-unreadable":
    "The PDF document is encrypted, damaged, takes too much to read, or the package unpdf is missing.",
  "range-outside": "The offset or column lies past the end. The facts have the real length.",
  "edit-no-match": "The old text is not in the file. The facts have the closest region.",
  "edit-ambiguous": "The old text is there more than once. The facts have each line.",
  "edit-count": "The old text occurs another number of times than the call expects.",
  "edit-no-change": "The edit, or all edits together, would change nothing.",
  "input-invalid": "Arguments are missing, unknown or of the wrong kind. The facts name every problem.",
  "input-truncated": "The arguments end in the middle. Nothing was guessed.",
  "tool-unknown": "No tool of this name is mounted.",
  "pattern-unsupported": "The pattern uses a construct that no linear engine has.",
  "command-failed":
    "The command ended with a status other than 0, or by a signal. Its output is the content.",
  "command-timed-out": "The command ran longer than its time and was ended, with everything it had started.",
  "command-syntax": "The command does not parse; no part of it was run.",
  "command-not-started": "No shell could be started for the command.",
  "job-unknown": "No job of this session has that id.",
  "worker-lost":
    "The process that runs programs, or with isolation tools, could not be started, or was lost in the middle of the call.",
  "url-invalid": "The text is no URL, or one that is too long. The facts may name the one that was meant.",
  "url-blocked":
    "The screen does not let a connection through: scheme, port, name, address or permission. The facts say which, and at which hop.",
  "redirect-failed": "A redirect led in a circle, nowhere, or once more than is followed.",
  "fetch-failed": "The network or the server failed. The facts name the stage and the system's error.",
  "fetch-timed-out": "The time for all hops and the body was over.",
  "content-encoding": "The body's encoding is not known, or not what the bytes are.",
  "http-status": "The server answered with status 400 or over. A little of its body is the content.",
  "content-type": "What came is no text, by its header or by its bytes.",
  "browser-missing":
    "No browser can be run. The facts list what was tried, and what is wrong with one that was named.",
  "browser-failed": "The browser gave no page. The facts have its last words.",
  "permission-denied":
    "A rule, the mode or a person said no. The facts name the rule and what would allow it.",
  "result-missing": "The ledger has no finished call of that id.",
  "result-range": "The range lies past the end of the result.",
  "commitment-unknown": "No commitment has an id that begins so.",
  "commitment-ambiguous": "Several commitments have ids that begin so. The facts list them.",
  "commitment-exists": "A commitment of that id is there already.",
  "commitment-invalid": "What was said of a commitment cannot be taken. The facts name every problem.",
  "commitment-transition": "The event may not happen in the commitment's phase. The facts have what may.",
  "commitment-unproven": "The commitment may not be closed as fulfilled. The facts say what is missing.",
  "commitment-criterion": "The commitment has no such criterion, or one that is proven in another way.",
  "commitment-question": "The question was never asked, or is answered already.",
  "tool-failed": "A tool of the host's own could not do it, in its own words.",
  "call-cancelled": "The host cancelled the call.",
  closed: "The toolset was closed.",
  fault: "A bug of haft's or a failure of the machine. The cause is for the host.",
};

/** Codes that every call can meet before its tool runs. */
export const commonCodes = [
  "input-invalid",
  "input-truncated",
  "tool-unknown",
  "call-cancelled",
  "closed",
  "fault",
];
