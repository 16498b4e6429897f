/**
 * Owns hearing of a signal that many calls share: the host's own, and the one of a toolset that closes.
 * Leaves what is done to the callers. Rule: one listener a signal, however many calls listen, and none when none does.
 * From the eleventh listener on Node warns of a leak on the host's standard error, and there is none.
 */

type Act = () => void;

interface Line {
  readonly acts: Set<Act>;
  readonly ring: Act;
}

const lines = new WeakMap<AbortSignal, Line>();

/** Calls `act` once when the signal is aborted; gives what ends the listening. */
export function onAbort(signal: AbortSignal, act: Act): Act {
  const line = lines.get(signal) ?? openLine(signal);
  line.acts.add(act);
  return () => {
    line.acts.delete(act);
    if (line.acts.size > 0 || lines.get(signal) !== line) return;
    lines.delete(signal);
    signal.removeEventListener("abort", line.ring);
  };
}

function openLine(signal: AbortSignal): Line {
  const acts = new Set<Act>();
  const ring = () => {
    for (const act of acts) act();
  };
  const line = { acts, ring };
  lines.set(signal, line);
  signal.addEventListener("abort", ring, { once: true });
  return line;
}
