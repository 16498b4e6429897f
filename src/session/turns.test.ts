import { describe, expect, it } from "vitest";
import type { Claims } from "./claims.ts";
import { EVERYTHING } from "./claims.ts";
import { openTurns, type Turn } from "./turns.ts";

const never = new AbortController().signal;
const claims = (of: { reads?: readonly string[]; writes?: readonly string[] }): Claims => ({
  isExclusive: false,
  reaims: false,
  reads: of.reads ?? [],
  writes: of.writes ?? [],
});

/** Lets everything happen that can. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function watch(turn: Turn, claim: Claims, signal = never) {
  const seen = { state: "waiting", looks: 0 };
  const run = async () => {
    turn.claim(claim);
    while ((await turn.start(signal)) !== "running") seen.looks += 1;
    seen.state = "running";
  };
  run().catch(() => {
    seen.state = "gave up";
  });
  return seen;
}

describe("turns", () => {
  it("lets readers of one place and writers of different places run side by side", async () => {
    const turns = openTurns();
    const seen = [
      watch(turns.take(), claims({ reads: ["/r/a"] })),
      watch(turns.take(), claims({ reads: ["/r/a"] })),
      watch(turns.take(), claims({ writes: ["/r/b"] })),
      watch(turns.take(), claims({ writes: ["/r/bb"] })),
    ];
    await settle();
    expect(seen.map(({ state }) => state)).toEqual(["running", "running", "running", "running"]);
  });

  it("keeps the order of what conflicts, folders with what is in them", async () => {
    const turns = openTurns();
    const first = turns.take();
    const one = watch(first, claims({ writes: ["/r/a/x"] }));
    const second = turns.take();
    const two = watch(second, claims({ reads: ["/r/a"] }));
    const third = turns.take();
    const three = watch(third, claims({ writes: ["/r/a/x/y"] }));
    await settle();
    expect([one.state, two.state, three.state]).toEqual(["running", "waiting", "waiting"]);
    first.end();
    await settle();
    expect([two.state, three.state]).toEqual(["running", "waiting"]);
    second.end();
    await settle();
    expect(three.state).toBe("running");
  });

  it("lets what claims everything run alone, and nothing overtake it", async () => {
    const turns = openTurns();
    const reader = turns.take();
    const read = watch(reader, claims({ reads: ["/r/a"] }));
    const shell = turns.take();
    const ran = watch(shell, EVERYTHING);
    const later = watch(turns.take(), claims({ reads: ["/r/z"] }));
    await settle();
    expect([read.state, ran.state, later.state]).toEqual(["running", "waiting", "waiting"]);
    reader.end();
    await settle();
    expect([ran.state, later.state]).toEqual(["running", "waiting"]);
    shell.end();
    await settle();
    expect(later.state).toBe("running");
  });

  it("lets nothing overtake a call that has not said what it claims", async () => {
    const turns = openTurns();
    const slow = turns.take();
    const later = watch(turns.take(), claims({ reads: ["/r/z"] }));
    await settle();
    expect(later.state).toBe("waiting");
    const early = watch(slow, claims({ writes: ["/r/a"] }));
    await settle();
    expect([early.state, later.state]).toEqual(["running", "running"]);
  });

  it("asks a call to look again that waited for one which may have changed where its paths lead, and lets nothing overtake it meanwhile", async () => {
    const turns = openTurns();
    const moving = turns.take();
    watch(moving, { ...claims({ writes: ["/r/link"] }), reaims: true });
    const second = turns.take();
    second.claim(claims({ reads: ["/r/link"] }));
    const started = second.start(never);
    const third = watch(turns.take(), claims({ writes: ["/r/a"] }));
    await settle();
    expect(third.state).toBe("waiting");
    moving.end();
    expect(await started).toBe("look-again");
    second.claim(claims({ reads: ["/r/a"] }));
    await settle();
    expect(third.state).toBe("waiting");
    expect(await second.start(never)).toBe("running");
    await settle();
    expect(third.state).toBe("waiting");
    second.end();
    await settle();
    expect(third.state).toBe("running");
  });

  it("lets others pass a call that waits for one which changes no names", async () => {
    const turns = openTurns();
    watch(turns.take(), claims({ writes: ["/r/a"] }));
    const second = watch(turns.take(), claims({ writes: ["/r/a"] }));
    const third = watch(turns.take(), claims({ writes: ["/r/b"] }));
    await settle();
    expect([second.state, third.state]).toEqual(["waiting", "running"]);
  });

  it("lets a call go that ends without claiming anything", async () => {
    const turns = openTurns();
    const refused = turns.take();
    const later = watch(turns.take(), EVERYTHING);
    refused.end();
    refused.end();
    await settle();
    expect(later.state).toBe("running");
  });

  it("makes a call that comes to claim more wait for later ones that run, and later ones wait for it", async () => {
    const turns = openTurns();
    const early = turns.take();
    watch(early, claims({ writes: ["/r/a"] }));
    const late = turns.take();
    watch(late, claims({ writes: ["/r/b"] }));
    await settle();
    const more = watch(early, claims({ writes: ["/r/b"] }));
    const last = turns.take();
    const third = watch(last, claims({ writes: ["/r/b"] }));
    await settle();
    expect([more.state, third.state]).toEqual(["waiting", "waiting"]);
    late.end();
    await settle();
    expect([more.state, third.state]).toEqual(["running", "waiting"]);
    early.end();
    await settle();
    expect(third.state).toBe("running");
  });

  it("two running calls that come to claim each other's places do not wait for each other for ever", async () => {
    const turns = openTurns();
    const [one, other] = [turns.take(), turns.take()];
    watch(one, claims({ writes: ["/r/a"] }));
    watch(other, claims({ writes: ["/r/b"] }));
    await settle();
    const first = watch(one, claims({ writes: ["/r/b"] }));
    const second = watch(other, claims({ writes: ["/r/a"] }));
    await settle();
    expect([first.state, second.state]).toEqual(["running", "waiting"]);
    one.end();
    await settle();
    expect(second.state).toBe("running");
  });

  it("lets a call that is made inside of another one run at once, and others wait for both", async () => {
    const turns = openTurns();
    const outer = turns.take();
    watch(outer, EVERYTHING);
    await settle();
    const inner = turns.take(outer);
    const within = watch(inner, claims({ writes: ["/r/a"] }));
    const other = watch(turns.take(), claims({ writes: ["/r/a"] }));
    await settle();
    expect([within.state, other.state]).toEqual(["running", "waiting"]);
    outer.end();
    await settle();
    expect(other.state).toBe("waiting");
    inner.end();
    await settle();
    expect(other.state).toBe("running");
  });

  it("takes a call for one of its own once the outer one has ended", async () => {
    const turns = openTurns();
    const outer = turns.take();
    watch(outer, EVERYTHING);
    outer.end();
    watch(turns.take(), EVERYTHING);
    const after = watch(turns.take(outer), EVERYTHING);
    await settle();
    expect(after.state).toBe("waiting");
  });

  it("ends waiting with the signal, and nobody waits for who gave up", async () => {
    const turns = openTurns();
    watch(turns.take(), EVERYTHING);
    const cancel = new AbortController();
    const waiting = turns.take();
    const seen = watch(waiting, EVERYTHING, cancel.signal);
    await settle();
    cancel.abort();
    await settle();
    expect(seen.state).toBe("gave up");
    waiting.end();
  });

  it("gives five hundred random claims a turn, and never two that conflict at once", async () => {
    const turns = openTurns();
    const places = ["/r", "/r/a", "/r/a/b", "/r/c", "/r/c/d", "/r/e"];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const running = new Set<Claims>();
    const conflicts: string[] = [];
    const order: number[] = [];
    const { isConflict } = await import("./claims.ts");
    await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        const place = places[random(places.length)] ?? "/r";
        const claim =
          random(9) === 0 ? EVERYTHING : claims(random(2) === 0 ? { reads: [place] } : { writes: [place] });
        const turn = turns.take();
        if (random(3) === 0) await settle();
        turn.claim(claim);
        while ((await turn.start(never)) !== "running") await settle();
        for (const other of running) if (isConflict(other, claim)) conflicts.push(`${index}`);
        running.add(claim);
        await settle();
        order.push(index);
        running.delete(claim);
        turn.end();
      }),
    );
    expect(conflicts).toEqual([]);
    expect(order).toHaveLength(500);
  });
});
