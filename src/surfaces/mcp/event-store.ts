/**
 * Owns what one client may have missed: the messages of its streams, so that a broken one can be taken up again.
 * Leaves streams to the SDK. Rule: bounded; what is too old is forgotten, and taking up from there is refused.
 */
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** Characters of kept messages: some hundred whole results. */
const KEPT_MAX_CHARS = 8 * 1024 * 1024;

interface KeptEvent {
  readonly id: string;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly chars: number;
}

export function createEventStore(maxChars = KEPT_MAX_CHARS): EventStore {
  const events: KeptEvent[] = [];
  let chars = 0;
  let count = 0;
  const find = (id: string) => events.findIndex((event) => event.id === id);
  return {
    async storeEvent(streamId, message) {
      count += 1;
      const event = { id: `${count}`, streamId, message, chars: JSON.stringify(message).length };
      events.push(event);
      chars += event.chars;
      while (chars > maxChars && events.length > 1) chars -= events.shift()?.chars ?? 0;
      return event.id;
    },
    async getStreamIdForEventId(id) {
      return events[find(id)]?.streamId;
    },
    async replayEventsAfter(lastId, { send }) {
      const at = find(lastId);
      const last = events[at];
      if (last === undefined) throw new Error("that event is not kept any more");
      for (const event of events.slice(at + 1))
        if (event.streamId === last.streamId && isMessage(event.message)) await send(event.id, event.message);
      return last.streamId;
    },
  };
}

/** The SDK stores an empty message to begin a stream with an id. */
function isMessage(message: JSONRPCMessage): boolean {
  return Object.keys(message).length > 0;
}
