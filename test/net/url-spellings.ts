/**
 * Owns the table of URL spellings and what the screen says of each.
 * Leaves asking the screen to url-spellings.test.ts. Rule: one group a verdict, one spelling a word; a spelling is
 * added to the group of the verdict it has to have, never of the one that it happens to get.
 */

export interface SpellingGroup {
  readonly name: string;
  /** `passes` and where to; or the code, what refuses it, and the class. */
  readonly verdict:
    | { readonly connectsTo: string; readonly port?: number }
    | { readonly code: "url-blocked"; readonly by: string; readonly kind?: string; readonly via?: string }
    | { readonly code: "url-invalid" | "fetch-failed" };
  readonly spellings: readonly string[];
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

const address = (kind: string, text: string, via?: string): SpellingGroup => ({
  name: via === undefined ? kind : `${kind} by ${via}`,
  verdict: { code: "url-blocked", by: "address", kind, ...(via === undefined ? {} : { via }) },
  spellings: words(text),
});

const blocked = (by: string, text: string, kind?: string): SpellingGroup => ({
  name: kind === undefined ? by : `${by}: ${kind}`,
  verdict: { code: "url-blocked", by, ...(kind === undefined ? {} : { kind }) },
  spellings: words(text),
});

const passes = (connectsTo: string, text: string, port = 80): SpellingGroup => ({
  name: `passes to ${connectsTo} ${port}`,
  verdict: { connectsTo, port },
  spellings: words(text),
});

/** What the stub resolver answers. A name that stands nowhere here fails to resolve. */
export const NAMES: Readonly<Record<string, readonly string[]>> = {
  "public.test": ["93.184.216.34"],
  "public.test.": ["93.184.216.34"],
  "xn--bcher-kva.test": ["93.184.216.34"],
  "six.test": ["2606:2800:220:1:248:1893:25c8:1946"],
  "both.test": ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"],
  "localhost.test": ["93.184.216.34"],
  notlocalhost: ["93.184.216.34"],
  "internal.test": ["93.184.216.34"],
  "loop.test": ["127.0.0.1"],
  "loop6.test": ["::1"],
  "mixed.test": ["93.184.216.34", "10.0.0.1"],
  "mixed6.test": ["93.184.216.34", "fd00::1"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "zone.test": ["fe80::1%eth0"],
  "zoned.test": ["2606:2800:220:1::1%eth0"],
  "aws.test": ["169.254.169.254"],
  "nat64.test": ["64:ff9b::a00:1"],
  "empty.test": [],
  "octal.test": ["0177.0.0.1"],
  "garbage.test": ["93.184.216.34", "not an address"],
  "short.test": ["127.1"],
};

/** With a white space or a control character inside, so that they stand by themselves. */
const LOOPBACK_WITH_SPACES: SpellingGroup = {
  name: "loopback with white space and invisible characters",
  verdict: { code: "url-blocked", by: "address", kind: "loopback" },
  spellings: [
    " http://127.0.0.1/",
    "http://127.0.0.1/\n",
    "ht\ntp://127.0.0.1/",
    "http://127.\t0.0.1/",
    "http://127.0.\r\n0.1/",
    "\u0000http://127.0.0.1/",
    "http://127.0.0\u00ad.1/",
    "http://127\u200b.0.0.1/",
    "http://127.0.0.1\u2060/",
  ],
};

const LOOPBACK: readonly SpellingGroup[] = [
  address(
    "loopback",
    `http://127.0.0.1/ http://127.0.0.1 http://127.0.0.1:8080/ http://127.0.0.1./ http://127.1/ http://127.0.1/
    http://0x7f.1/ http://0x7f.0.0.1/ http://0x7F000001/ http://0x7f.0x0.0x0.0x1/ http://0x7f.0.1/ http://127.0x1/
    http://2130706433/ http://2130706433./ http://017700000001/ http://0177.0.0.1/ http://0177.1/ http://0177.0x0.1/
    http://00000000177.0.0.1/ http://127.0.0.001/ http://127.00.00.01/ http://127.000000.0.1/
    http://127.255.255.254/ http://127.127.127.127/ http://127.0.0.53/ http://127.65535/ http://127.16777215/
    http://①②⑦.0.0.1/ http://①②⑦.⓪.⓪.①/ http://１２７.0.0.1/ http://１２７．０．０．１/ http://127。0。0。1/
    http://127．0．0．1/ http://127｡0｡0｡1/ http://𝟏𝟐𝟕.0.0.1/ http://𝟭𝟮𝟳.𝟬.𝟬.𝟭/ http://¹²⁷.0.0.1/ http://０x７f.1/
    http://%31%32%37.0.0.1/ http://127%2E0%2E0%2E1/ http://127%2e1/ http://%30x7f.1/ http://127%E3%80%820.0.1/
    http:127.0.0.1/ http:/127.0.0.1/ http:///127.0.0.1/ http:////127.0.0.1/ http:\\\\127.0.0.1\\ http:/\\127.0.0.1/
    HTTP://127.0.0.1/ hTTp://127.1 https://127.0.0.1/ https://2130706433/ http://127.0.0.1?x http://127.0.0.1#x
    http://127.0.0.1\\@public.test/ http://127.0.0.1/@public.test/ http://127.0.0.1#@public.test/
    http://127.0.0.1?@public.test/ http://127.0.0.1:80/ https://127.0.0.1:443/ http://127.0.0.1:00080/
    http://[::1]/ http://[0:0:0:0:0:0:0:1]/ http://[0000::0001]/ http://[::0:1]/ http://[0::1]:8080/ http://[::0001]/
    http://loop.test/ http://LOOP.test/ http://loop6.test/`,
  ),
  LOOPBACK_WITH_SPACES,
  address(
    "loopback",
    `http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::FFFF:7F00:0001]/ http://[0:0:0:0:0:ffff:127.0.0.1]/
    http://[0:0:0:0:0:ffff:7f00:1]/ http://[::ffff:127.255.255.255]/ http://mapped.test/`,
    "IPv4-mapped",
  ),
  address(
    "loopback",
    "http://[::127.0.0.1]/ http://[::7f00:1]/ http://[0:0:0:0:0:0:127.0.0.1]/",
    "IPv4-compatible",
  ),
  address("loopback", "http://[::ffff:0:127.0.0.1]/ http://[::ffff:0:7f00:1]/", "IPv4-translated"),
  address(
    "loopback",
    `http://[64:ff9b::127.0.0.1]/ http://[64:ff9b::7f00:1]/ http://[64:ff9b:1::127.0.0.1]/ http://[64:ff9b:1:ffff::7f00:1]/
    http://[0064:ff9b:0:0:0:0:7f00:1]/`,
    "NAT64",
  ),
  address(
    "loopback",
    "http://[2002:7f00:1::]/ http://[2002:7f00:0001::1]/ http://[2002:7fff:ffff::abcd]/",
    "6to4",
  ),
  address(
    "loopback",
    `http://[2001:0:7f00:1::]/ http://[2001::7f00:1:0:0:f7f7:f7f7]/ http://[2001:0:808:808:0:0:80ff:fffe]/
    http://[2001:0:5db8:d822:8000:63bf:80ff:fffe]/`,
    "Teredo",
  ),
  address(
    "loopback",
    `http://[2606:4700::5efe:127.0.0.1]/ http://[2606:4700::5efe:7f00:1]/ http://[2606:4700::200:5efe:7f00:1]/
    http://[fe80::5efe:7f00:1]/`,
    "ISATAP",
  ),
];

const SPECIAL: readonly SpellingGroup[] = [
  address(
    "this host",
    `http://0.0.0.0/ http://0/ http://0x0/ http://00/ http://0.0/ http://0.1/ http://0.0.0.0:8080/ http://0.255.255.255/
    http://[::]/ http://[::]:8080/ http://[0:0:0:0:0:0:0:0]/ http://⓪/ http://0x/ http://0x.0x.0/`,
  ),
  address(
    "this host",
    "http://[::ffff:0.0.0.0]/ http://[::ffff:0:0]/ http://[::ffff:0.0.0.1]/",
    "IPv4-mapped",
  ),
  address(
    "private",
    `http://10.0.0.1/ http://10.1/ http://167772161/ http://0xa.0.0.1/ http://012.0.0.1/ http://10.255.255.255/
    http://172.16.0.1/ http://172.31.255.255/ http://172.20.1/ http://0xac100001/ http://192.168.0.1/ http://192.168.1/
    http://192.168.257/ http://3232235777/ http://0xc0a80001/ http://0300.0250.0.1/ http://192.168.255.255/
    http://１９２.168.0.1/ http://192。168。0。1/ https://10.0.0.1:8443/ http://mixed.test/`,
  ),
  address(
    "private",
    "http://[::ffff:10.0.0.1]/ http://[::ffff:c0a8:1]/ http://[::ffff:ac10:1]/",
    "IPv4-mapped",
  ),
  address("private", "http://[64:ff9b::a00:1]/ http://[64:ff9b::192.168.0.1]/ http://nat64.test/", "NAT64"),
  address("private", "http://[2002:a00:1::1]/ http://[2002:c0a8:101::]/ http://[2002:ac10:1::]/", "6to4"),
  address("private", "http://[2001:0:a00:1::]/ http://[2001:0:808:808::3f57:fefe]/", "Teredo"),
  address("private", "http://[2a00:1450::5efe:a00:1]/ http://[2a00:1450::5efe:192.168.0.1]/", "ISATAP"),
  address(
    "shared address space",
    "http://100.64.0.1/ http://100.127.255.255/ http://1681915905/ http://0x64.64.1/",
  ),
  address("shared address space", "http://[::ffff:100.64.0.1]/", "IPv4-mapped"),
  address(
    "link-local",
    `http://169.254.169.254/ http://169.254.169.254./ http://169.254.43518/ http://2852039166/ http://0xa9fea9fe/
    http://0xa9.0xfe.0xa9.0xfe/ http://0251.0376.0251.0376/ http://0251.254.169.254/ http://169.254.0.1/
    http://169.254.170.2/ http://169.254.169.254:80/latest/meta-data/ http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/ http://aws.test/
    http://[fe80::1]/ http://[fe80::]/ http://[febf:ffff::1]/ http://[FE80::a:b]/ http://zone.test/`,
  ),
  address("link-local", "http://[::ffff:169.254.169.254]/ http://[::ffff:a9fe:a9fe]/", "IPv4-mapped"),
  address("link-local", "http://[::ffff:0:169.254.169.254]/", "IPv4-translated"),
  address("link-local", "http://[::169.254.169.254]/ http://[::a9fe:a9fe]/", "IPv4-compatible"),
  address("link-local", "http://[64:ff9b::169.254.169.254]/ http://[64:ff9b:1::a9fe:a9fe]/", "NAT64"),
  address("link-local", "http://[2002:a9fe:a9fe::]/", "6to4"),
  address(
    "cloud metadata",
    `http://[fd00:ec2::254]/ http://[fd20:ce::254]/ http://100.100.100.200/ http://1684301000/ http://192.0.0.192/
    http://168.63.129.16/`,
  ),
  address(
    "unique local",
    "http://[fc00::1]/ http://[fd00::1]/ http://[fdff:ffff::1]/ http://[fd12:3456::]/ http://mixed6.test/",
  ),
  address("site-local", "http://[fec0::1]/ http://[feff::1]/"),
  address(
    "multicast",
    "http://224.0.0.1/ http://239.255.255.255/ http://233.252.0.1/ http://[ff02::1]/ http://[ff0e::1]/ http://[ff05::2]/",
  ),
  address("multicast", "http://[::ffff:224.0.0.1]/", "IPv4-mapped"),
  address(
    "broadcast",
    "http://255.255.255.255/ http://4294967295/ http://0xffffffff/ http://037777777777/ http://255.16777215/",
  ),
  address(
    "documentation",
    "http://192.0.2.1/ http://198.51.100.7/ http://203.0.113.9/ http://[2001:db8::1]/ http://[2001:db8:ffff::]/ http://[3fff::1]/ http://[3fff:fff::1]/",
  ),
  address("benchmarking", "http://198.18.0.1/ http://198.19.255.255/ http://[2001:2::1]/"),
  address("discard-only", "http://[100::1]/ http://[100::]/"),
  address(
    "reserved",
    `http://240.0.0.1/ http://255.255.255.254/ http://192.0.0.1/ http://192.0.0.8/ http://192.31.196.1/
    http://192.52.193.1/ http://192.175.48.1/ http://[2001:1::1]/ http://[2001:3::1]/ http://[2001:10::1]/
    http://[2001:20::1]/ http://[2001:4:112::1]/ http://[2620:4f:8000::1]/ http://[5f00::1]/ http://[4000::1]/
    http://[1::1]/ http://[200::1]/ http://[e000::1]/ http://[100:0:0:1::1]/ http://[fe00::1]/ http://[::1:0:0:0]/`,
  ),
  address("6to4", "http://192.88.99.1/ http://[2002:808:808::1]/ http://[2002:5db8:d822::]/"),
  address("Teredo", "http://[2001:0:808:808::f7f7:f7f7]/"),
  address("IPv4-compatible", "http://[::8.8.8.8]/ http://[::808:808]/"),
  address("IPv4-translated", "http://[::ffff:0:8.8.8.8]/"),
  address("local NAT64", "http://[64:ff9b:1::8.8.8.8]/"),
  address("zoned", "http://zoned.test/"),
];

const NAMED: readonly SpellingGroup[] = [
  blocked(
    "name",
    `http://localhost/ http://LOCALHOST/ http://LocalHost:3000/ http://localhost./ http://localhost../ http://a.localhost/
    http://a.b.LOCALHOST./ https://localhost/ http://ⓛocalhost/ http://ｌｏｃａｌｈｏｓｔ/ http://local\u00adhost/ http://%6cocalhost/
    http://localho%73t/ http://localhost。/ http://ip6-localhost/ http://𝓵ocalhost/ http://localhoſt/ http:localhost
    http:\\\\localhost\\ http://localhost?x http://localhost#x http://localhost:80/`,
    "loopback",
  ),
  blocked(
    "name",
    `http://metadata.google.internal/ http://metadata.google.internal./ http://METADATA.google.INTERNAL/
    http://metadata/computeMetadata/v1/ http://metadata.goog/ http://instance-data/latest/ http://metadata.tencentyun.com/
    http://metadata。google。internal/`,
    "cloud metadata",
  ),
  blocked(
    "name",
    `http://db.internal/ http://printer.local/ http://printer.local./ http://localhost.localdomain/ http://internal/
    http://local/ http://router.home.arpa/ http://./ http://../`,
    "local",
  ),
  blocked("name", "http://unix:/var/run/docker.sock:/x http://UNIX/", "Unix socket"),
  blocked("answer", "http://empty.test/ http://octal.test/ http://garbage.test/ http://short.test/"),
  {
    name: "names that do not resolve",
    verdict: { code: "fetch-failed" },
    spellings: words("http://nowhere.test/ https://x.invalid/ http://router/ http://nowhere.test./"),
  },
];

const OTHERWISE: readonly SpellingGroup[] = [
  blocked(
    "user-info",
    `http://u:p@public.test/ http://u@public.test/ http://:p@public.test/ https://u:p@127.0.0.1/ http://public.test@127.0.0.1/
    http://public.test%2f@127.0.0.1/ http://127.0.0.1@public.test/ http://u:p@public.test:8080/ http:u:p@public.test
    http://u%40public.test@127.0.0.1/ http://user:pass%40word@public.test/ http://@@public.test/ http://a:b:c@public.test/`,
  ),
  blocked(
    "port",
    `http://public.test:22/ http://public.test:25/ http://public.test:0/ http://public.test:6000/ http://public.test:6667/
    https://public.test:993/ http://public.test:21/ http://public.test:00025/ http://public.test:10080/
    http://127.0.0.1:25/ http://public.test:2049/ http://public.test:587/ http://public.test:5060/`,
  ),
  blocked(
    "scheme",
    `file:///etc/passwd file:/etc/passwd FILE:///etc/passwd ftp://public.test/ ws://public.test/ wss://public.test/
    data:text/html,x javascript:1 gopher://127.0.0.1:25/x dict://127.0.0.1/ ldap://127.0.0.1/ blob:http://public.test/x
    about:blank chrome://version view-source:http://127.0.0.1/ jar:http://x!/ unix:/var/run/docker.sock mailto:a@b.c
    localhost:3000 tel:1 urn:x ssh://public.test/ filesystem:http://public.test/x`,
  ),
  {
    name: "no URL",
    verdict: { code: "url-invalid" },
    spellings: [
      ...words(
        `public.test //public.test/ /path http:// https:// http://? http://:80/ http://[::1/ http://::1/ http://[::1]x/
        http://[fe80::1%25eth0]/ http://[::1%25lo]/ http://[::ffff:127.0.0.1.5]/ http://[1.2.3.4]/ http://256.256.256.256/
        http://1.2.3.4.5/ http://127.0.0.1.1/ http://0x100000000/ http://4294967296/ http://127.0.0.256/ http://09.0.0.1/
        http://public.test:99999/ http://public.test:x/ http://public.test:-1/ http://a<b/ http://a%00b/ http://a%2fb/
        http://[::g]/ http://[1:2:3:4:5:6:7:8:9]/ http://foo.0x7f/ http://xn--/ http://public.test:80:80/
        http://a|b/ http://a^b/ http://1.2.3.08/ 127.0.0.1 127.0.0.1:80`,
      ),
      "",
      " ",
      "http://a b/",
      `http://public.test/${"x".repeat(9000)}`,
    ],
  },
];

const PASSING: readonly SpellingGroup[] = [
  passes(
    "93.184.216.34",
    `http://public.test/ http://PUBLIC.test http://public.test:80/ http:public.test http:\\\\public.test\\x http://public.test./
    http://p\u00adublic.test/ http://ｐublic.test/ http://public。test/ http://public.test/@127.0.0.1 http://public.test?@127.0.0.1
    http://public.test#@127.0.0.1 http://public.test/http://127.0.0.1/ http://public.test\\@127.0.0.1 http://%70ublic.test/
    http://93.184.216.34/ http://93.184.216.34./ http://1572395042/ http://0x5db8d822/ http://93.12113954/
    http://[::ffff:93.184.216.34]/ http://[::ffff:5db8:d822]/ http://localhost.test/ http://notlocalhost/
    http://internal.test/ http://bücher.test/ http://BÜCHER.test/`,
  ),
  passes("93.184.216.34", "https://public.test/ https://93.184.216.34/ https://public.test:443/", 443),
  passes(
    "93.184.216.34",
    "http://public.test:8080/ http://public.test:08080/ http://93.184.216.34:8080",
    8080,
  ),
  passes(
    "8.8.8.8",
    "http://8.8.8.8/ http://134744072/ http://0x08080808/ http://010.010.010.010/ http://8.8.2056/",
  ),
  passes("64:ff9b::808:808", "http://[64:ff9b::8.8.8.8]/ http://[64:ff9b::808:808]/"),
  passes(
    "2606:2800:220:1:248:1893:25c8:1946",
    "http://six.test/ http://[2606:2800:220:1:248:1893:25c8:1946]/",
  ),
  passes("93.184.216.34", "http://both.test/"),
  passes("2606:4700::5efe:808:808", "http://[2606:4700::5efe:8.8.8.8]/"),
  passes(
    "2a00:1450:4001:81b::200e",
    "http://[2a00:1450:4001:81b::200e]/ http://[2A00:1450:4001:081B:0:0:0:200E]/",
  ),
  passes("2001:4860:4860::8888", "http://[2001:4860:4860::8888]/"),
  // Next to a range on either side.
  passes("11.0.0.0", "http://11.0.0.0/"),
  passes("9.255.255.255", "http://9.255.255.255/"),
  passes("100.63.255.255", "http://100.63.255.255/"),
  passes("100.128.0.0", "http://100.128.0.0/"),
  passes("126.255.255.255", "http://126.255.255.255/"),
  passes("128.0.0.1", "http://128.0.0.1/"),
  passes("169.253.255.255", "http://169.253.255.255/"),
  passes("169.255.0.0", "http://169.255.0.0/"),
  passes("172.15.255.255", "http://172.15.255.255/"),
  passes("172.32.0.0", "http://172.32.0.0/"),
  passes("192.167.255.255", "http://192.167.255.255/"),
  passes("192.169.0.0", "http://192.169.0.0/"),
  passes("198.17.255.255", "http://198.17.255.255/"),
  passes("198.20.0.0", "http://198.20.0.0/"),
  passes("223.255.255.255", "http://223.255.255.255/"),
  passes("192.0.1.0", "http://192.0.1.0/"),
  passes("2001:200::1", "http://[2001:200::1]/"),
  passes("2003::1", "http://[2003::1]/"),
];

export const SPELLINGS: readonly SpellingGroup[] = [
  ...LOOPBACK,
  ...SPECIAL,
  ...NAMED,
  ...OTHERWISE,
  ...PASSING,
];
