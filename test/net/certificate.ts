/**
 * Owns a certificate for `named.test` and 127.0.0.1, signed by itself, with its key: for servers of tests on the loopback.
 * Rule: nothing trusts it but a test that says so; the key is public by standing here.
 */

export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBnTCCAUSgAwIBAgIUKHNnSQBY2yfC9uTPvIqVCuVSOhIwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKbmFtZWQudGVzdDAgFw0yNjExMzAxNDMwNDZaGA8yMTI2MTEw
NjE0MzA0NlowFTETMBEGA1UEAwwKbmFtZWQudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABCbnaJza0kAywrLxux3ZGhV0YfuXH9OvdvOgDH6q4J79VuEbvSt1
DnwTYgTRx2h1mfRoEWb5QNXBWHOQ6v7gk++jcDBuMB0GA1UdDgQWBBTAxAIEoyx6
tifztCHTCqoxtB+48jAfBgNVHSMEGDAWgBTAxAIEoyx6tifztCHTCqoxtB+48jAP
BgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCCm5hbWVkLnRlc3SHBH8AAAEwCgYI
KoZIzj0EAwIDRwAwRAIgfgZttYvQ0+8o+LEGQmgx5YNabJ/sv8FhpdP/rzcmMmEC
IHgvkU7bs25uptz4HeBp0WsAmU4aD7qXY4cQR3tilRtN
-----END CERTIFICATE-----
`;

export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgC/Xs+AOay9sdhQZK
SxwFEXcfqLlBkUliW/hOzfk/CfihRANCAAQm52ic2tJAMsKy8bsd2RoVdGH7lx/T
r3bzoAx+quCe/VbhG70rdQ58E2IE0cdodZn0aBFm+UDVwVhzkOr+4JPv
-----END PRIVATE KEY-----
`;
