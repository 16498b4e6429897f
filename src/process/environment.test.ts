/**
 * Owns the tests of what a command and a program of ours see. Rule: by name, against a host that has everything.
 */
import { describe, expect, it } from "vitest";
import { scrubEnvironment, shellEnvironment } from "./environment.ts";

const NEVER = {
  HTTP_PROXY: "zz",
  https_proxy: "zz",
  NO_PROXY: "zz",
  SSH_AUTH_SOCK: "zz",
  NODE_OPTIONS: "zz",
  LD_PRELOAD: "zz",
  LD_LIBRARY_PATH: "zz",
  PYTHONPATH: "zz",
  BASH_ENV: "zz",
  ENV: "zz",
  PROMPT_COMMAND: "zz",
  "BASH_FUNC_ls%%": "() { zz; }",
  LC_EVIL: "() { zz; }",
  ANTHROPIC_API_KEY: "zz",
  GH_TOKEN: "zz",
  MY_PASSWORD: "zz",
  PATHOLOGICAL: "zz",
  HAFT_MARK: "zz",
};
const HOST = {
  ...NEVER,
  PATH: "/bin",
  HOME: "/home/p",
  LANG: "C.UTF-8",
  LC_TIME: "de",
  XDG_CONFIG_HOME: "/c",
  CARGO_HOME: "/cargo",
  SSL_CERT_FILE: "/pem",
  PAGER: "less",
  TMPDIR: "/host-tmp",
};
const see = (more: Partial<Parameters<typeof shellEnvironment>[0]> = {}) =>
  shellEnvironment({ host: HOST, pass: [], set: {}, scratch: {}, ...more });

describe("a command", () => {
  it("sees what is on the list, and nothing else of the host", () => {
    const seen = see();
    expect(seen).toMatchObject({ PATH: "/bin", HOME: "/home/p", LC_TIME: "de", XDG_CONFIG_HOME: "/c" });
    expect(seen).toMatchObject({ CARGO_HOME: "/cargo", SSL_CERT_FILE: "/pem" });
    expect(Object.keys(seen).filter((name) => name in NEVER)).toEqual([]);
    expect(Object.values(seen).join()).not.toContain("zz");
    expect(seen.TMPDIR).toBeUndefined();
  });

  it("finds nobody to ask and nothing to page", () => {
    expect(see()).toMatchObject({ PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" });
    expect(see()).toMatchObject({ EDITOR: "true", VISUAL: "true", GIT_EDITOR: "true" });
  });

  it("sees what the host passes on by name or beginning, sets, and gives as scratch", () => {
    const seen = see({
      pass: ["GH_TOKEN", "PAGER", "MY_*"],
      set: { HOME: "/other", A: "1" },
      scratch: { TMPDIR: "/scratch", HOME: "/no" },
    });
    expect(seen).toMatchObject({ GH_TOKEN: "zz", MY_PASSWORD: "zz", PAGER: "less" });
    expect(seen).toMatchObject({ HOME: "/other", A: "1", TMPDIR: "/scratch" });
  });

  it("gets no function of another shell, whatever is passed", () => {
    const seen = see({ pass: ["BASH_FUNC_*", "LC_EVIL"] });
    expect(Object.values(seen).join()).not.toContain("() {");
  });
});

describe("a program of ours", () => {
  it("sees less", () => {
    expect(scrubEnvironment(HOST)).toEqual({
      PATH: "/bin",
      LANG: "C.UTF-8",
      LC_TIME: "de",
      TMPDIR: "/host-tmp",
    });
  });
});
