/**
 * Owns the ways in which a page can make a browser connect to somewhere, as data.
 * Leaves counting what arrives to browse-ways-out.test.ts. Rule: each row of `WITHIN` has a path of its own, so that
 * a test without the screen can show that the row does reach a server.
 */

export interface WayOut {
  readonly about: string;
  /** What stands in the page. `host` is `name:port`. */
  readonly html: (host: string) => string;
  /** What arrives at a server that may be reached; absent where Chromium offers nothing to arrive that is seen. */
  readonly arrives?: string;
}

/** Ways that leave the page where it is: all of them fit in one page. */
export const WITHIN: readonly WayOut[] = [
  { about: "an image", html: (h) => `<img src="http://${h}/img">`, arrives: "/img" },
  { about: "a script", html: (h) => `<script src="http://${h}/script"></script>`, arrives: "/script" },
  { about: "a frame", html: (h) => `<iframe src="http://${h}/frame"></iframe>`, arrives: "/frame" },
  {
    about: "a frame that is redirected",
    html: (h) => `<iframe src="/to?http://${h}/frame-to"></iframe>`,
    arrives: "/frame-to",
  },
  {
    about: "an image that is redirected",
    html: (h) => `<img src="/to?http://${h}/img-to">`,
    arrives: "/img-to",
  },
  { about: "fetch", html: (h) => script(`fetch("http://${h}/fetch").catch(() => {})`), arrives: "/fetch" },
  {
    about: "a fetch that is redirected",
    html: (h) => script(`fetch("/to?http://${h}/fetch-to").catch(() => {})`),
    arrives: "/fetch-to",
  },
  {
    about: "XMLHttpRequest",
    html: (h) => script(`const x = new XMLHttpRequest(); x.open("GET", "http://${h}/xhr"); x.send()`),
    arrives: "/xhr",
  },
  { about: "a websocket", html: (h) => script(`new WebSocket("ws://${h}/ws")`), arrives: "/ws" },
  { about: "an event stream", html: (h) => script(`new EventSource("http://${h}/es")`), arrives: "/es" },
  {
    about: "a beacon",
    html: (h) => script(`navigator.sendBeacon("http://${h}/beacon", "x")`),
    arrives: "/beacon",
  },
  {
    about: "an import of a style",
    html: (h) => `<style>@import url(http://${h}/css);</style>`,
    arrives: "/css",
  },
  {
    about: "a background",
    html: (h) => `<div style="height:9px;background:url(http://${h}/background)">x</div>`,
    arrives: "/background",
  },
  {
    about: "a font",
    html: (h) =>
      `<style>@font-face{font-family:f;src:url(http://${h}/font)}i{font-family:f}</style><i>text</i>`,
    arrives: "/font",
  },
  { about: "an object", html: (h) => `<object data="http://${h}/object"></object>`, arrives: "/object" },
  { about: "an embed", html: (h) => `<embed src="http://${h}/embed">`, arrives: "/embed" },
  { about: "a video", html: (h) => `<video autoplay src="http://${h}/video"></video>`, arrives: "/video" },
  {
    about: "a prefetch",
    html: (h) => `<link rel=prefetch href="http://${h}/prefetch">`,
    arrives: "/prefetch",
  },
  {
    about: "a preload",
    html: (h) => `<link rel=preload as=image href="http://${h}/preload">`,
    arrives: "/preload",
  },
  { about: "a preconnect", html: (h) => `<link rel=preconnect href="http://${h}/">` },
  { about: "a look-up ahead", html: (h) => `<link rel=dns-prefetch href="http://${h}/">` },
  { about: "a form in a frame", html: (h) => formInFrame(h), arrives: "/form" },
  {
    about: "a worker, and a websocket of it",
    html: (h) =>
      script(
        `new Worker(URL.createObjectURL(new Blob(['fetch("http://${h}/worker").catch(() => {}); new WebSocket("ws://${h}/worker-ws")'])))`,
      ),
    arrives: "/worker",
  },
  { about: "TLS", html: (h) => `<img src="https://${h}/tls">`, arrives: "TLS" },
  {
    about: "a module",
    html: (h) => `<script type=module>import("http://${h}/module").catch(() => {})</script>`,
    arrives: "/module",
  },
  {
    about: "speculation",
    html: (h) =>
      `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["http://${h}/spec"],"requires":["anonymous-client-ip-when-cross-origin"]}],"prerender":[{"source":"list","urls":["http://${h}/spec"]}]}</script>`,
  },
  {
    about: "a ping",
    html: (h) => `<a id=ping ping="http://${h}/ping" href="#x">x</a>${script("ping.click()")}`,
  },
  {
    about: "a manifest and an icon",
    html: (h) => `<link rel=manifest href="http://${h}/manifest"><link rel=icon href="http://${h}/icon">`,
  },
  { about: "a window", html: (h) => script(`open("http://${h}/open")`) },
  {
    about: "WebTransport",
    html: (h) =>
      script(
        `try { const t = new WebTransport("https://${h}/wt"); t.ready.catch(() => {}); t.closed.catch(() => {}) } catch {}`,
      ),
  },
  { about: "WebRTC", html: (h) => script(peerConnection(h)) },
];

function script(text: string): string {
  return `<script>{${text}}</script>`;
}

function formInFrame(host: string): string {
  const form = `<form id=f method=post action='http://${host}/form'><input name=a value=1></form><script>f.submit()</script>`;
  return `<iframe srcdoc="${form}"></iframe>`;
}

/** Servers for its addresses, by UDP, TCP and TLS, and a peer that says that it is there. */
function peerConnection(host: string): string {
  const port = host.slice(host.lastIndexOf(":") + 1);
  return `
    const one = new RTCPeerConnection({ iceServers: [{ urls: ["stun:${host}", "turn:${host}?transport=udp", "turn:${host}?transport=tcp", "turns:${host}?transport=tcp"], username: "a", credential: "b" }] });
    const two = new RTCPeerConnection();
    one.createDataChannel("x");
    (async () => {
      await one.setLocalDescription(await one.createOffer());
      await two.setRemoteDescription(one.localDescription);
      await two.setLocalDescription(await two.createAnswer());
      await one.setRemoteDescription(two.localDescription);
      for (const candidate of ["candidate:1 1 udp 2130706431 127.0.0.1 ${port} typ host", "candidate:2 1 tcp 1518280447 127.0.0.1 ${port} typ host tcptype passive"])
        for (const peer of [one, two]) await peer.addIceCandidate({ candidate, sdpMid: "0", sdpMLineIndex: 0 });
      document.title += " peers";
    })();`;
}

/** Ways that take the page away, each in a page of its own. */
export const AWAY: readonly WayOut[] = [
  { about: "a script that goes there", html: (h) => script(`location = "http://${h}/away"`) },
  { about: "a refresh", html: (h) => `<meta http-equiv=refresh content="0;url=http://${h}/away">` },
  {
    about: "a form that is sent",
    html: (h) =>
      `<form id=f method=post action="http://${h}/away"><input name=a></form>${script("f.submit()")}`,
  },
  {
    about: "a link that is followed",
    html: (h) => `<a id=l href="http://${h}/away">x</a>${script("l.click()")}`,
  },
  { about: "a script that goes there by TLS", html: (h) => script(`location = "https://${h}/away"`) },
];

/** A service worker asks when it is installed, and when a page speaks to it. */
export const SERVICE_WORKER = (host: string): string => `
  self.addEventListener("install", (event) => event.waitUntil(fetch("http://${host}/sw-install").catch(() => {})));
  self.addEventListener("activate", (event) => event.waitUntil(clients.claim()));
  self.addEventListener("message", () => fetch("http://${host}/sw-message", { mode: "no-cors" }).catch(() => {}));`;

export const REGISTER = `<script>
  navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready).then((ready) => {
    document.title += " ready";
    ready.active.postMessage(1);
  });</script>`;
