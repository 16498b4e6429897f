/**
 * Owns which of the system's errors are refusals: what the path or its permissions explain.
 * Leaves the rest (a full disk, a broken one, too many open files) to be thrown as faults.
 * Rule: decided by the error's code, never by its words.
 */
import type { Place } from "../contract/access.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";

const DENIED = new Set(["EACCES", "EPERM", "EROFS", "EBUSY", "ETXTBSY"]);
/** What only happens when somebody changed the tree after it was looked at. */
const CHANGED = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EEXIST", "ENOTEMPTY", "EISDIR", "ESTALE"]);

/** The system's name of an error, `""` where it has none. */
export function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/** The system's name of an error. What has none is a bug of ours and goes on. */
export function nameError(error: unknown): string {
  const code = errorCode(error);
  if (code === "") throw error;
  return code;
}

/** Whether an error of a walk tells that the folder is not where it was looked at: `moved` is its word for a path that leads elsewhere. */
export function tellsExchange(error: string): boolean {
  return error === "moved" || CHANGED.has(error);
}

/** The refusal that an error amounts to; throws the error where it is a fault. */
export function refuseSystemError(
  error: unknown,
  about: { place: Pick<Place, "shown">; operation: string; done?: string | undefined },
): Refusal {
  const code = errorCode(error);
  const path = about.place.shown;
  const done = about.done === undefined ? {} : { done: about.done };
  if (DENIED.has(code)) {
    return refuse("path-denied", { path, operation: about.operation, error: code, ...done });
  }
  if (code === "ENAMETOOLONG") return refuse("path-invalid", { path, reason: "the name is too long" });
  if (CHANGED.has(code)) return refuse("path-changed", { path, ...done });
  throw error;
}

/** Runs `act`; what the path or its permissions explain comes back as a value. */
export async function refuseSystemErrors<T>(
  about: { place: Pick<Place, "shown">; operation: string },
  act: () => Promise<T>,
): Promise<T | Refusal> {
  try {
    return await act();
  } catch (error) {
    return refuseSystemError(error, about);
  }
}
