/**
 * Owns how an error passes between host and worker: its name, its message, its code.
 * Leaves what is made of it to whoever gets it. Rule: no stack and no cause: they name files of this machine, and a
 * fault is told in one line.
 */
import { WorkerError } from "../contract/errors.ts";

export interface SentError {
  readonly name: string;
  readonly message: string;
  /** `ENOSPC`. */
  readonly code?: string;
  /** Of a worker that was lost. */
  readonly why?: string;
}

const LONGEST = 2_000;

export function sendError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: "Error", message: clip(describe(error)) };
  const { code } = error as { readonly code?: unknown };
  return {
    name: clip(error.name),
    message: clip(error.message),
    ...(typeof code === "string" ? { code: clip(code) } : {}),
    ...(error instanceof WorkerError ? { why: clip(error.why) } : {}),
  };
}

export function receiveError({ name, message, code, why }: SentError): Error {
  if (why !== undefined) return new WorkerError(why);
  const error = new Error(message);
  error.name = name;
  return Object.assign(error, code === undefined ? {} : { code });
}

export function isSentError(value: unknown): value is SentError {
  if (typeof value !== "object" || value === null) return false;
  const { name, message, code, why } = value as Readonly<Record<string, unknown>>;
  const isText = (one: unknown) => one === undefined || typeof one === "string";
  return typeof name === "string" && typeof message === "string" && isText(code) && isText(why);
}

function describe(error: unknown): string {
  try {
    return String(error);
  } catch {
    return "something that cannot be shown";
  }
}

function clip(text: string): string {
  return String(text).slice(0, LONGEST).toWellFormed();
}
