/**
 * Owns telling a host that it has handed an adapter something else than it takes: before anything runs, in words.
 * Leaves what a model got wrong to the gate, which answers it. Rule: a `TypeError` that names the function, what it takes,
 * what it got and, where that is known, what was meant.
 */
import { showValue } from "../../toolset/show-value.ts";

interface Given {
  /** The adapter's function. */
  readonly by: string;
  readonly value: unknown;
}

/** A toolset or a session; `needs` names what of it is used, where that is not both. */
export function checkHost({
  by,
  value,
  needs = ["definitions", "call"],
}: Given & { readonly needs?: readonly string[] }): void {
  const host = fieldsOf(value);
  if (needs.every((name) => typeof host?.[name] === "function")) return;
  const hint = isPromise(value)
    ? "; openSession gives a promise: await it"
    : Array.isArray(value)
      ? "; the definitions alone make no calls"
      : "";
  throw new TypeError(
    `${by} takes a toolset or a session, as mount and openSession give them, not ${show(value)}${hint}`,
  );
}

interface GivenMessage extends Given {
  /** What it takes: `a message of the model`. */
  readonly takes: string;
  /** Members that something else has, each with what was meant: `choices`: `completion.choices[0].message`. */
  readonly mistaken: Readonly<Record<string, string>>;
}

/** What a model answered, as its SDK gives it. */
export function checkMessage({ by, value, takes, mistaken }: GivenMessage): void {
  const message = fieldsOf(value);
  const other = Object.keys(mistaken).find((name) => message !== undefined && Object.hasOwn(message, name));
  if (message !== undefined && other === undefined) return;
  const hint = isPromise(value) ? "; await it" : other !== undefined ? `; take ${mistaken[other]} of it` : "";
  throw new TypeError(`${by} takes ${takes}, not ${show(value)}${hint}`);
}

/** A list in it, each entry of which is an object. */
export function checkEntries({ by, value, at }: Given & { readonly at: string }): void {
  if (!Array.isArray(value)) throw new TypeError(`${by}: ${at} must be an array, not ${show(value)}`);
  const wrong = value.findIndex((one) => fieldsOf(one) === undefined);
  if (wrong >= 0) throw new TypeError(`${by}: ${at}[${wrong}] must be an object, not ${show(value[wrong])}`);
}

/** The options: an object, and for each that is named here one of the values that it may have. */
export function checkChoices({
  by,
  value,
  choices = {},
}: Given & { readonly choices?: Readonly<Record<string, readonly unknown[]>> }): void {
  const options = value === undefined ? {} : fieldsOf(value);
  if (options === undefined) throw new TypeError(`${by}: the options are an object, not ${show(value)}`);
  for (const [name, allowed] of Object.entries(choices))
    if (options[name] !== undefined && !allowed.includes(options[name]))
      throw new TypeError(
        `${by}: the option ${name} is ${allowed.map((one) => JSON.stringify(one)).join(" or ")}, not ${show(options[name])}`,
      );
  const { leave } = options;
  if (leave !== undefined && !(Array.isArray(leave) && leave.every((name) => typeof name === "string")))
    throw new TypeError(`${by}: the option leave is an array of names of tools, not ${show(leave)}`);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value) && !isPromise(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
}

function isPromise(value: unknown): boolean {
  return value instanceof Promise;
}

function show(value: unknown): string {
  if (isPromise(value)) return "a promise";
  if (Array.isArray(value)) return "an array";
  return typeof value === "function" ? "a function" : showValue(value);
}
