/** Owns that the log of a browser's requests is read as it is written, and that nothing is made of what it is not. */
import { expect, it } from "vitest";
import { readPageHead } from "./net-log.ts";

const NAMES =
  '{"constants":{"netError":{"ERR_ABORTED":-3,"ERR_TUNNEL_CONNECTION_FAILED":-111}},\n"events": [';
const event = (id: number, params: object) =>
  JSON.stringify({ params, phase: 1, source: { id, type: 1 }, time: "1", type: 136 });
const start = (id: number, url: string) => event(id, { request_type: "main frame", url });
const answer = (id: number, ...headers: string[]) => event(id, { headers });
const log = (...lines: string[]) => `${[NAMES, ...lines].join(",\n")}\n`;

it("tells the last page of a chain of redirects, with its status and type", () => {
  const given = log(
    start(4, "http://a.test/"),
    answer(4, "HTTP/1.1 302 Found", "location: http://b.test/"),
    start(4, "http://b.test/"),
    answer(9, "HTTP/1.1 404 Not Found"),
    answer(4, "HTTP/1.1 200 OK", "Content-Type: Text/HTML; charset=utf-8"),
  );
  expect(readPageHead(given)).toEqual({ url: "http://b.test/", status: 200, mediaType: "text/html" });
});

it("tells the page that a page went to by itself", () => {
  const given = log(
    start(4, "http://a.test/"),
    answer(4, "HTTP/1.1 200 OK"),
    start(7, "http://b.test/"),
    answer(7, "HTTP/1.1 201 Created"),
  );
  expect(readPageHead(given)).toMatchObject({ url: "http://b.test/", status: 201 });
});

it.each([
  ["is saved", answer(7, "HTTP/1.1 200 OK", "Content-Disposition: attachment; filename=x")],
  ["has no content", answer(7, "HTTP/1.1 204 No Content")],
  ["is given up", event(7, { net_error: -3 })],
  ["is never answered", event(8, {})],
])("tells the page before one that %s", (_about, end) => {
  const given = log(
    start(4, "http://a.test/"),
    answer(4, "HTTP/1.1 200 OK"),
    start(7, "http://b.test/"),
    end,
  );
  expect(readPageHead(given)).toMatchObject({ url: "http://a.test/", status: 200 });
});

it("tells what the browser could not get, by its name", () => {
  const given = log(start(4, "https://a.test/x"), event(4, { net_error: -111 }));
  expect(readPageHead(given)).toEqual({
    url: "https://a.test/x",
    error: "net::ERR_TUNNEL_CONNECTION_FAILED",
  });
});

it("knows an answer of the proxy itself", () => {
  const given = log(
    start(4, "http://a.test/"),
    answer(4, "HTTP/1.1 403 Forbidden", "proxy-status: haft; error=x"),
  );
  expect(readPageHead(given)).toMatchObject({ isFromProxy: true });
});

it.each(["", "nonsense\n", '{"main frame"', log(), `${log(start(4, "http://a.test/")).slice(0, -30)}`])(
  "makes nothing of a log that is none, or was cut off",
  (given) => {
    expect(readPageHead(given)).toBeUndefined();
  },
);
