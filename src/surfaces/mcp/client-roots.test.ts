/** Owns the reading of a client's roots: which is taken, which are only named. */
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { chooseRoot } from "./client-roots.ts";

const named = (...uris: string[]) => chooseRoot(uris.map((uri) => ({ uri })));

describe("chooseRoot", () => {
  it("takes the first file root and names the others", () => {
    expect(named("https://example.invalid/a", "file:///one", "file:///two")).toEqual({
      first: "/one",
      others: ["https://example.invalid/a", "/two"],
    });
  });

  it("takes none where none is a file", () => {
    expect(named()).toEqual({ others: [] });
    expect(named("untitled:a", "vscode-remote://host/a")).toEqual({
      others: ["untitled:a", "vscode-remote://host/a"],
    });
  });

  it("reads every escape of a path", () => {
    for (const path of ["/a b", "/ä", "/a%b", "/a#b", "/a?b"]) {
      expect(named(pathToFileURL(path).href).first).toBe(path);
    }
    expect(named("file:///a b/ä").first).toBe("/a b/ä");
    expect(named("file://localhost/a").first).toBe("/a");
  });

  it("passes over what is no address and what is no path of this machine", () => {
    expect(named("", "/plain/path", "file:///a%2Fb", "file:///good")).toEqual({
      first: "/good",
      others: ["", "/plain/path", "file:///a%2Fb"],
    });
    if (process.platform !== "win32") expect(named("file://other-host/a", "file:///b").first).toBe("/b");
  });
});
