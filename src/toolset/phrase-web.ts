/**
 * Owns the sentences of refusals about the web: URLs that are not connected to, and what came of connecting.
 * Leaves the record of codes to phrase.ts, which alone uses this.
 * Rule: as phrase.ts says. A URL that is refused is told with the class of its address, and with who could allow it:
 * the person who runs this, or nobody. No password is repeated.
 */
import type { RefusalFacts } from "../contract/refusal.ts";
import { joinSentences, type Phrase } from "./phrase-words.ts";
import { clipQuoted } from "./show-value.ts";

const PUBLIC_ONLY = "Only public hosts are connected to, by http and https.";

export function phraseInvalid({ url, reason, suggestion }: RefusalFacts["url-invalid"]): Phrase {
  if (reason === "too-long")
    return { wrong: `The URL ${clipQuoted(url)} is too long: at most 8192 characters are taken.` };
  return {
    wrong: `${JSON.stringify(clipQuoted(url))} is not a URL.`,
    advice:
      suggestion === undefined
        ? "Give an absolute one, such as https://example.com/page."
        : `Did you mean ${suggestion}?`,
  };
}

type Blocked = RefusalFacts["url-blocked"];

export function phraseBlocked(facts: Blocked): Phrase {
  const { why, advice } = explainBlocked(facts);
  return { wrong: `${tellTarget(facts)} is not connected to: ${why}.`, advice };
}

/** `https://a.test/ (redirected from https://b.test/)`. */
function tellTarget({ url, from }: { readonly url: string; readonly from?: string }): string {
  return from === undefined ? clipQuoted(url) : `${clipQuoted(url)} (where ${clipQuoted(from)} redirects)`;
}

function explainBlocked(facts: Blocked): { readonly why: string; readonly advice: string } {
  switch (facts.by) {
    case "scheme":
      return { why: `${clipQuoted(facts.scheme)} is neither http nor https`, advice: PUBLIC_ONLY };
    case "user-info":
      return {
        why: "it carries a user name or a password",
        advice: "Leave out what stands before the @: no credentials are sent.",
      };
    case "port":
      return {
        why: `port ${facts.port} is one that browsers refuse`,
        advice: "Other services than web servers answer there.",
      };
    case "name":
      return {
        why: `${clipQuoted(facts.host)} is a ${facts.kind} name`,
        advice: adviseHost(facts, facts.kind),
      };
    case "address":
      return { why: tellAddress(facts), advice: adviseHost(facts, facts.kind) };
    case "answer":
      return {
        why: `looking up ${clipQuoted(facts.host)} gave ${facts.answer === "empty" ? "no address" : "an answer that is no list of addresses"}`,
        advice: "Check the name.",
      };
    case "permission":
      return {
        why:
          facts.rule === undefined ? "the permission of this call does not cover it" : clipQuoted(facts.rule),
        advice: `Whoever runs this can allow it with the rule connects(${clipQuoted(facts.host)}:${facts.port}).`,
      };
    case "downgrade":
      return {
        why: "a redirect from https to http would give up the encryption",
        advice: "Ask for the http URL itself if that is meant.",
      };
  }
}

type Address = Extract<Blocked, { readonly by: "address" }>;

function tellAddress({ host, address, kind, inner, via }: Address): string {
  const bare = host.replace(/^\[|\]$/g, "");
  const where = bare === address ? address : `${clipQuoted(host)} is ${address}, and that`;
  const carried = inner === undefined || via === undefined ? "" : ` (${via}: ${inner})`;
  return `${where} is a ${kind} address${carried}`;
}

/** Who could allow it. Behind metadata and link-local addresses are the machine's own credentials. */
function adviseHost({ url, ...facts }: Blocked, kind: string): string {
  const isNever =
    ("isNeverAllowed" in facts && facts.isNeverAllowed === true) ||
    kind === "link-local" ||
    kind === "cloud metadata" ||
    kind === "Unix socket";
  if (isNever) return `${PUBLIC_ONLY} No option allows this one.`;
  return `${PUBLIC_ONLY} Whoever runs this can allow a host of their own with network.privateHosts (${hostAndPort(url)}), an option and a key of their own configuration.`;
}

function hostAndPort(url: string): string {
  try {
    const { hostname, port, protocol } = new URL(url);
    return `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;
  } catch {
    return "host:port";
  }
}

export function phraseRedirect(facts: RefusalFacts["redirect-failed"]): Phrase {
  const { url, reason, status, maxRedirects } = facts;
  if (reason === "no-location")
    return {
      wrong: `${tellTarget(facts)} answered with the redirect ${status} and named no place to go.`,
      advice: "The server is at fault; try another URL.",
    };
  if (reason === "loop")
    return {
      wrong: `${tellTarget(facts)} redirects (${status}) to where it was before.`,
      advice: "The site may want cookies, which are not kept; try another URL.",
    };
  return {
    wrong: `${tellTarget(facts)} redirects (${status}) once more after ${maxRedirects} redirects, which is the most that is followed.`,
    advice: `Ask for ${clipQuoted(url)} itself to go on.`,
  };
}

const STAGES: Readonly<Record<RefusalFacts["fetch-failed"]["stage"], string>> = {
  "look-up": "looking up the name",
  connect: "connecting",
  tls: "agreeing on encryption",
  request: "waiting for an answer",
  body: "reading the body",
};

export function phraseFetchFailed(facts: RefusalFacts["fetch-failed"]): Phrase {
  const { stage, error, message } = facts;
  const words = message === "" || message.includes(error) ? message || error : `${error}: ${message}`;
  return {
    wrong: `${tellTarget(facts)} could not be fetched: ${STAGES[stage]} failed (${clipQuoted(words)}).`,
    advice: adviseFailure(stage, error),
  };
}

function adviseFailure(stage: RefusalFacts["fetch-failed"]["stage"], error: string): string {
  if (error === "ENOTFOUND") return "There is no host of that name: check its spelling.";
  if (stage === "look-up")
    return "This machine may have no network, or no name server that answers: whoever runs this can tell.";
  if (error === "ENETUNREACH" || error === "EHOSTUNREACH")
    return "This machine has no way to that host: whoever runs this can tell whether it has a network.";
  if (error === "ECONNREFUSED") return "Nothing listens there: check the port and the scheme.";
  if (stage === "tls") return "Its certificate or its protocol is not accepted; no option turns that off.";
  return "Try again later, or another URL.";
}

export function phraseTimedOut(facts: RefusalFacts["fetch-timed-out"]): Phrase {
  const { stage, timeoutMs, receivedBytes } = facts;
  const received = receivedBytes === 0 ? "" : ` after ${receivedBytes} bytes`;
  return {
    wrong: `${tellTarget(facts)} was not fetched within ${timeoutMs} ms, all redirects included: it ended while ${STAGES[stage]}${received}.`,
    advice: "Try again later, or another URL.",
  };
}

export function phraseEncoding(facts: RefusalFacts["content-encoding"]): Phrase {
  const { encoding, reason } = facts;
  const why = {
    unknown: "is not known",
    "too-many": "is stacked too deep",
    broken: "is not what the bytes are",
    truncated: "ends in the middle",
  }[reason];
  return {
    wrong: `${tellTarget(facts)} answered in a form that cannot be read: its Content-Encoding ${JSON.stringify(clipQuoted(encoding))} ${why}.`,
    advice: "The server is at fault; try again later, or another URL.",
  };
}

export function phraseStatus({ url, status }: RefusalFacts["http-status"]): Phrase {
  return { wrong: `${clipQuoted(url)} answered ${status}.` };
}

export function phraseType({ url, by, mediaType, found }: RefusalFacts["content-type"]): Phrase {
  const is = by === "header" ? mediaType : (found ?? "binary");
  const though =
    by === "bytes" && mediaType !== undefined ? `, though it is called ${clipQuoted(mediaType)}` : "";
  return {
    wrong: `${clipQuoted(url)} is ${clipQuoted(is ?? "binary")} and not text${though}.`,
    advice: joinSentences("Only text is fetched: HTML, JSON, XML, YAML, CSV, source code and the like."),
  };
}
