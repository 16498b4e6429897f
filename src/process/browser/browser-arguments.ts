/**
 * Owns the words on a browser's command line, each with its reason.
 * Leaves starting it to run-browser.ts, what goes through the proxy to net/. Rule: there is one way out, the proxy,
 * and it is as closed for the loopback as for everything else; every other way is shut here by name, and tried by a
 * test that counts what arrives.
 */
import { join } from "node:path";
import type { BrowserRun } from "./run-browser.ts";

/** Where nobody listens and no browser connects: the Fetch standard blocks the port. */
const NOWHERE = "http://127.0.0.1:1/";

/** The one way out, and the others shut. */
const SHUT: readonly string[] = [
  // Chromium never sends the loopback through a proxy unless it is told so.
  "--proxy-bypass-list=<-loopback>",
  // Names are looked up by the proxy's screen alone: a question to a resolver is a message too.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--dns-prefetch-disable",
  "--dns-over-https-mode=off",
  // UDP goes through no proxy: QUIC, WebTransport, and the candidates of WebRTC.
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-extensions",
  "--no-pings",
  // A second window would load on after the first was captured.
  "--block-new-web-contents",
];

/** Chromium's own business: updates, sign-in, time, reports, models. None of it belongs to the page. */
const QUIET: readonly string[] = [
  "--no-first-run",
  "--no-default-browser-check",
  "--no-service-autorun",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-sync",
  "--disable-domain-reliability",
  "--disable-client-side-phishing-detection",
  "--disable-breakpad",
  "--disable-crash-reporter",
  "--disable-search-engine-choice-screen",
  "--metrics-recording-only",
  "--password-store=basic",
  "--use-mock-keychain",
  // These two ask at start whatever the switches above say.
  `--component-updater=url-source=${NOWHERE},disable-pings`,
  `--gaia-url=${NOWHERE}`,
  `--google-apis-url=${NOWHERE}`,
];

const FEATURES_OFF = [
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "OptimizationGuideModelDownloading",
  "Translate",
  // Looks for screens in the local network, by multicast.
  "MediaRouter",
  "DialMediaRouteProvider",
  "GlobalMediaControls",
  "WebRtcHideLocalIpsWithMdns",
  // Google's own proxy for pages that another page expects to be visited next.
  "PrefetchProxy",
  "DnsOverHttps",
  // What was asked for by http is what is fetched.
  "HttpsUpgrades",
];

/** Nobody looks at a window; containers have little shared memory. */
const HEADLESS: readonly string[] = [
  "--headless",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--hide-scrollbars",
  "--mute-audio",
  "--deny-permission-prompts",
  "--disk-cache-size=33554432",
  // PNG of three bytes a pixel: 4.2 MB of base64 at the worst, below the 5 MB that providers take.
  "--window-size=1280,800",
];

/** Real time that a page has to load: what is there by then is its DOM. The rest of the deadline is for timers. */
const LOAD_MS = 10_000;

/** The user agent that a browser of this kind sends, headless or not; servers answer others with another page. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

export function browserArguments(run: BrowserRun, files: { readonly profile: string }): string[] {
  return [
    ...HEADLESS,
    ...QUIET,
    ...SHUT,
    `--disable-features=${FEATURES_OFF.join(",")}`,
    `--proxy-server=http://127.0.0.1:${run.proxyPort}`,
    // The proxy's secret: there is no other word that Chromium sends to a proxy without a person to type it in. A
    // server behind TLS and the page itself see it. It opens nothing but a proxy on this machine's loopback, which
    // ends with the call and lets through what the screen lets through. Behind a relay there is none.
    `--user-agent=${`${USER_AGENT} ${run.userAgentMark}`.trim()}`,
    `--user-data-dir=${files.profile}`,
    `--log-net-log=${join(files.profile, NET_LOG)}`,
    // A browser's own sandbox refuses to work for uid 0.
    ...(isRoot() ? ["--no-sandbox"] : []),
    `--timeout=${LOAD_MS}`,
    `--virtual-time-budget=${Math.max(1, run.waitMs)}`,
    ...(run.screenshot ? [`--screenshot=${join(files.profile, SCREENSHOT)}`] : []),
    "--dump-dom",
    run.url,
  ];
}

/** Files in the profile. */
export const NET_LOG = "requests.json";
export const SCREENSHOT = "screenshot.png";

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}
