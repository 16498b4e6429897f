/**
 * Owns telling from what a confined command printed that the fence stood in its way.
 * Leaves showing it to the tools. Rule: only where the command failed and printed the system's own words for such an
 * error; it says what the fence forbids, never that this was the only cause.
 */
export interface DenialRequest {
  /** Whether the command failed as a whole. */
  readonly hasFailed: boolean;
  /** The ends of what was printed. */
  readonly printed: string;
  readonly network: "host" | "none" | "relay";
  /** What the screen of the network has refused meanwhile. */
  readonly refused: readonly string[];
  /** What is covered, absolute. */
  readonly covered: readonly string[];
  /** Files that a rule withholds, relative to the root. */
  readonly hidden: readonly string[];
  /** Folders that a rule withholds as a whole. */
  readonly withheld: readonly string[];
  /** The rule that speaks of a path. */
  readonly nameRule: (path: string) => string | undefined;
  /** Of git's directories, whose configuration is held. */
  readonly hasGit: boolean;
}

type Judge = (request: DenialRequest) => string | undefined;

const READ_ONLY = /read-only file system|EROFS/i;
const BUSY = /device or resource busy|resource busy or locked|EBUSY|invalid cross-device link|EXDEV/i;
const OTHER_MOUNT = /invalid cross-device link|EXDEV|cannot move/i;
const GIT = /\.git\b|config file|config\.lock/i;
const GIT_GOES_ON = /could not (?:write|lock) config file/i;
const POWERS = /operation not permitted|EPERM|must be (?:run as )?root|setuid/i;
const NO_NETWORK =
  /network is unreachable|ENETUNREACH|could not resolve|name resolution|name or service not known|EAI_AGAIN|ENOTFOUND|no route to host|EHOSTUNREACH|nodename nor servname|Failed to connect|ECONNREFUSED|connection refused/i;
const NOT_THERE = /no such file or directory|ENOENT|not found|does not exist/i;
const CLOSED = /permission denied|EACCES/i;
/** git, of what is a device in the fence: it stages, stashes and restores files and links. */
const NO_REGULAR =
  /can only add regular files|unable to (?:index file|unlink)|could not reset|cannot save|not uptodate/i;
const SOCKETS = /docker daemon|\.sock\b|authentication agent|d-?bus|cannot open display/i;
const NO_PROCESS = /no such process|ESRCH/i;

const HELD_GIT =
  "git's configuration, hooks and attributes are read-only for commands, so that nothing is planted that a later git would run";
const NOT_MOVED =
  "a folder that holds something protected cannot be moved, and what is renamed into it or out of it has to be copied instead";
const READ_ONLY_ELSE =
  "only the root and the scratch folder can be written to, and what is protected in them cannot be replaced";

const BUT_RELAY =
  " but their own loopback and, by HTTP_PROXY and HTTPS_PROXY, what the network screen lets through";
const MAX_REFUSED = 5;
const MAX_NAMED = 3;

const JUDGES: readonly Judge[] = [
  ({ printed, hasGit, hasFailed }) => {
    // git goes on, and ends well, where it could not note what it was told to.
    if (!hasFailed) return hasGit && GIT_GOES_ON.test(printed) && BUSY.test(printed) ? HELD_GIT : undefined;
    if (!BUSY.test(printed) && !READ_ONLY.test(printed)) return undefined;
    if (hasGit && GIT.test(printed)) return HELD_GIT;
    return OTHER_MOUNT.test(printed) ? NOT_MOVED : READ_ONLY_ELSE;
  },
  nameWithheld,
  ({ refused }) =>
    refused.length === 0
      ? undefined
      : `the network screen refused ${refused.slice(0, MAX_REFUSED).join("; ")}${refused.length > MAX_REFUSED ? "; and more" : ""}`,
  ({ printed, network, refused }) =>
    network !== "host" && refused.length === 0 && NO_NETWORK.test(printed)
      ? `commands have no network${network === "relay" ? BUT_RELAY : ""}`
      : undefined,
  ({ printed }) =>
    POWERS.test(printed) ? "commands have no powers over the system, and gain none by setuid" : undefined,
  ({ printed, covered }) =>
    NOT_THERE.test(printed) && covered.some((folder) => printed.includes(`${folder}/`))
      ? "of the person's own folder only toolchains are visible"
      : undefined,
  ({ printed }) => (SOCKETS.test(printed) ? "sockets of the system's services are out of reach" : undefined),
  ({ printed }) => (NO_PROCESS.test(printed) ? "a command sees its own processes alone" : undefined),
];

/** By its path or, where the command stood in a folder below, by its last name. */
function nameWithheld({ printed, hidden, withheld, nameRule, hasFailed }: DenialRequest): string | undefined {
  const isFileMeant = CLOSED.test(printed) || BUSY.test(printed) || NO_REGULAR.test(printed);
  const isFolderMeant =
    hasFailed && (NOT_THERE.test(printed) || READ_ONLY.test(printed) || BUSY.test(printed));
  const named = [...(isFileMeant ? hidden : []), ...(isFolderMeant ? withheld : [])].filter((path) =>
    printed.includes(path.slice(path.lastIndexOf("/") + 1)),
  );
  const exact = named.filter((path) => printed.includes(path));
  const meant = exact.length > 0 ? exact : named.filter((path) => standsIn(printed, path));
  if (meant.length === 0) return undefined;
  const shown = meant.slice(0, MAX_NAMED).map((path) => {
    const rule = nameRule(path);
    return rule === undefined ? path : `${path} (${rule})`;
  });
  const more = meant.length > MAX_NAMED ? `, and ${meant.length - MAX_NAMED} more` : "";
  const git = NO_REGULAR.test(printed)
    ? "; git takes it for changed, so name the other files to git add, git commit and git stash"
    : "";
  return `a rule withholds what was to be read: ${shown.join(", ")}${more}${git}`;
}

/** As a whole name, not within a longer one. */
function standsIn(printed: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  for (let at = printed.indexOf(name); at >= 0; at = printed.indexOf(name, at + 1)) {
    const [before = " ", after = " "] = [printed[at - 1], printed[at + name.length]];
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}

export function nameDenials(request: DenialRequest): string[] {
  // git says what it could not do, and pipelines and scripts end well all the same.
  const judges = request.hasFailed ? JUDGES : JUDGES.slice(0, 2);
  return judges.map((judge) => judge(request)).filter((words) => words !== undefined);
}
