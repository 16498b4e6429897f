/**
 * Owns the ways in which a command tries to reach the network past its relay, or by the relay what the screen refuses, as
 * data. Leaves running them to escapes.test.ts. Rule: each reaches a server of the test unconfined; where a proxy is named
 * the row goes by it, so that the same row asks the screen when it is confined.
 */
import type { Escape } from "./file-escapes.ts";

/** By the proxy where there is one, for every host. */
const BY_PROXY = `\${HTTP_PROXY:+-x $HTTP_PROXY} --noproxy ''`;
const IS_REACHED = "grep -q reached && echo ESCAPED";
const curl = (options: string, url: string) => `curl -sS -m 5 ${options} "${url}" | ${IS_REACHED}`;

/** Says so much to the proxy, or to the server itself. */
const raw = (head: string) =>
  `trap "" PIPE; to=\${HTTP_PROXY#http://}; to=\${to:-127.0.0.1:$WEB}; exec 3<>/dev/tcp/\${to/://}; printf '${head}\\r\\n\\r\\n' >&3; timeout 5 ${IS_REACHED.replace("-q reached", "-q reached <&3")}`;

const node = (script: string) => `"$NODE" -e '${script}'`;

const CURL = { needsRequire: true, needs: "curl" } as const;
const ASKED = { needsRequire: true } as const;

export const NETWORK_ESCAPES: readonly Escape[] = [
  {
    about: "reaches the host's loopback past the proxy",
    command: curl("--noproxy '*'", "http://127.0.0.1:$WEB/"),
    ...CURL,
  },
  {
    about: "reaches it by name past the proxy",
    command: curl("--noproxy '*'", "http://localhost:$WEB/"),
    ...CURL,
  },
  { about: "reaches it as any address", command: curl("--noproxy '*'", "http://0.0.0.0:$WEB/"), ...CURL },
  {
    about: "reaches it by IPv6 past the proxy",
    command: curl("--noproxy '*'", "http://[::ffff:127.0.0.1]:$WEB/"),
    ...CURL,
  },
  {
    about: "reaches the machine by its own address",
    command: node(
      `const a = Object.values(require("os").networkInterfaces()).flat().find((one) => one.family === "IPv4" && !one.internal)?.address ?? "127.0.0.1"; require("http").get({ host: a, port: process.env.WEB_ALL }, (r) => r.on("data", () => console.log("ESCAPED"))).on("error", (e) => console.log(e.code))`,
    ),
    ...ASKED,
  },
  {
    about: "sends a datagram",
    command: node(
      `const s = require("dgram").createSocket("udp4"); s.send("hello", process.env.UDP, "127.0.0.1", () => setTimeout(() => s.close(), 300))`,
    ),
    effect: (outside) => outside.datagrams() > 0,
    ...ASKED,
  },
  {
    about: "asks a name server",
    command: node(
      `const r = new (require("dns").Resolver)({ timeout: 300, tries: 1 }); r.setServers(["127.0.0.1:" + process.env.UDP]); r.resolve4("k3y.example.com", () => {})`,
    ),
    effect: (outside) => outside.datagrams() > 0,
    ...ASKED,
  },
  {
    about: "opens a raw socket",
    command: `python3 -c 'import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW); print("ESCAPED")'`,
    needs: "python3",
    needsRoot: true,
  },
  {
    about: "enters the network of a process of the host",
    command: `nsenter --net=/proc/$VICTIM/ns/net curl -sS -m 5 --noproxy '*' http://127.0.0.1:$WEB/ | ${IS_REACHED}`,
    needsRoot: true,
    ...CURL,
  },
  // By the proxy, what the screen refuses.
  {
    about: "reaches a loopback address by the proxy",
    command: curl(BY_PROXY, "http://127.0.0.1:$WEB/"),
    ...CURL,
  },
  {
    about: "reaches a loopback name by the proxy",
    command: curl(BY_PROXY, "http://localhost:$WEB/"),
    ...CURL,
  },
  {
    about: "reaches an address in another spelling by the proxy",
    command: curl(BY_PROXY, "http://2130706433:$WEB/"),
    ...CURL,
  },
  {
    about: "reaches an IPv6 literal by the proxy",
    command: curl(BY_PROXY, "http://[::ffff:7f00:1]:$WEB/"),
    ...CURL,
  },
  {
    about: "reaches a host with user info by the proxy",
    command: curl(BY_PROXY, "http://user:word@127.0.0.1:$WEB/"),
    ...CURL,
  },
  {
    about: "opens a tunnel to a loopback address",
    command: curl(`-p ${BY_PROXY}`, "http://127.0.0.1:$WEB/"),
    ...CURL,
  },
  {
    about: "opens a tunnel to a name of it",
    command: curl(`-p ${BY_PROXY}`, "http://localhost:$WEB/"),
    ...CURL,
  },
  {
    about: "opens a tunnel to an IPv6 literal",
    command: curl(`-p ${BY_PROXY}`, "http://[::ffff:127.0.0.1]:$WEB/"),
    ...CURL,
  },
  {
    about: "names one host in the line and another in the header",
    command: raw("GET http://127.0.0.1:'$WEB'/ HTTP/1.1\\r\\nHost: example.com\\r\\nConnection: close"),
    ...ASKED,
  },
  {
    about: "names a host in the header alone",
    command: raw("GET / HTTP/1.1\\r\\nHost: 127.0.0.1:'$WEB'\\r\\nConnection: close"),
    ...ASKED,
  },
  {
    about: "asks for a websocket of the host",
    command: raw(
      "GET http://127.0.0.1:'$WEB'/ HTTP/1.1\\r\\nHost: 127.0.0.1:'$WEB'\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket",
    ),
    ...ASKED,
  },
  {
    about: "hides a second request in the body of the first",
    command: raw(
      "POST http://127.0.0.1:'$WEB'/ HTTP/1.1\\r\\nHost: example.com\\r\\nContent-Length: 40\\r\\n\\r\\nGET http://127.0.0.1:'$WEB'/ HTTP/1.1\\r\\n\\r\\nGET http://127.0.0.1:'$WEB'/ HTTP/1.1\\r\\nHost: a\\r\\nConnection: close",
    ),
    ...ASKED,
  },
];
