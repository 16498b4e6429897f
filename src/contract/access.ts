/**
 * Owns what a call says it will touch, before it runs: paths, commands, hosts.
 * Leaves deciding to permission, ordering to the schedule, resolving to toolset/prepare.ts.
 * Rule: what is not declared here is not touched.
 */

/** One path argument of a call and what will happen to it. */
export interface PathUse {
  /** The argument that names it: `path`, `from`. The tool asks for the resolved place by this name. */
  readonly argument: string;
  /** As the model gave it. */
  readonly path: string;
  /** `enters` is the folder in which a command runs: checked like any path, and nothing that a rule speaks of. */
  readonly effect: "reads" | "writes" | "enters";
  /** `follow` takes what a link leads to, `itself` the link. */
  readonly link: "follow" | "itself";
  /** The call makes no sense unless the path exists: a name that differs only in its kind of space or in Unicode normalisation is then found. */
  readonly mustExist: boolean;
}

/** What a call says it will touch, before it runs. */
export interface Access {
  /** Paths below the root. */
  readonly paths: readonly PathUse[];
  /** Shell commands, whole. */
  readonly runs: readonly string[];
  /** `host` or `host:port`. */
  readonly connects: readonly string[];
  /** Nobody has said what the call touches: it may be anything. Such a call runs alone, and no rule about effects is taken to spare it. */
  readonly isUndeclared?: true;
}

/** A path resolved inside the root. Everything after argument preparation works with places, not with words. */
export interface Place {
  /** The path as the model gave it. */
  readonly asked: string;
  /** Absolute, links resolved (the last one too, where `link` is `follow`), on-disk spelling. */
  readonly real: string;
  /** Relative to the root with `/`; `.` for the root itself; absolute where a host's resolver led outside. */
  readonly shown: string;
  /**
   * Other names by which it was found, as `shown` is spelled: the path as it was given, and as it stood before each link
   * in it was followed. Absent where no link was.
   */
  readonly through?: readonly string[];
  /** As the access declared it. */
  readonly link: "follow" | "itself";
  /** False only where the host's own `resolve` led outside the root. */
  readonly contained: boolean;
  /** Present where the name on disk differs from the asked one in its kind of space or normalisation: that name, odd characters escaped. */
  readonly spelling?: string;
}
