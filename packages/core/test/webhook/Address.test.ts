import { describe, it } from "@effect/vitest"
import { Result } from "effect"
import { NetAddress } from "effect/net"
import { assert } from "vitest"
import type { Mode } from "../../src/Mode.ts"
import { check } from "../../src/webhook/Address.ts"
import { isPublic, standard } from "../../src/webhook/AddressPolicy.ts"

const codeOf = (value: unknown, mode: Mode): string => {
  const result = check(value, mode)
  if (Result.isSuccess(result)) {
    assert.strictEqual(result.success, value)
    return "accepted"
  }
  return result.failure
}

const live: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  accepted: [
    "https://shop.kz/hook",
    "https://SHOP.kz:8443/hook?token=a%20b#part",
    "https://shop.kz./hook",
    "https://дүкен.қаз/hook",
    "https://xn--80aswg.xn--80ao21a/",
    "https://a_b.shop.kz/",
    "https://localhost.shop.kz/",
    "https://ngrok.io.shop.kz/",
    "https://notngrok.io/",
    `https://shop.kz/${"a".repeat(2048 - 16)}`
  ],
  invalid_url: [
    undefined,
    null,
    1,
    {},
    ["https://shop.kz/"],
    "",
    "shop.kz/hook",
    "//shop.kz/hook",
    "https://",
    "https:// shop.kz/",
    " https://shop.kz/",
    "https://shop.kz/\n",
    "https://sh\top.kz/",
    "https://shop.kz/\u0000",
    "https://shop.kz/\ud800",
    "https://user:password@shop.kz/",
    "https://shop.kz@169.254.169.254/",
    "https://:password@shop.kz/",
    "https://shop.kz:65536/",
    "https://[::1/",
    "https://256.256.256.256/",
    "ftp://shop.kz/",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/plain,a",
    `https://shop.kz/${"a".repeat(2048 - 15)}`
  ],
  webhook_url_requires_https: ["http://shop.kz/hook", "http://127.0.0.1/", "http://localhost:3000/"],
  webhook_url_requires_domain: [
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://①②⑦.⓪.⓪.①/",
    "https://8.8.8.8/",
    "https://8.8.8.8./",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[2606:4700::1111]/",
    "https://localhost/",
    "https://localhost./",
    "https://LOCALHOST:8443/",
    "https://intranet/",
    "https://kz/",
    "https://a.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://shop.test/",
    "https://shop.example/",
    "https://shop.invalid/",
    "https://router.home.arpa/",
    "https://nas.lan/",
    "https://expyuzz4wqqyqhjn.onion/",
    "https://shop..kz/",
    "https://.shop.kz/",
    "https://-shop.kz/",
    `https://${"a".repeat(64)}.kz/`,
    `https://${"a.".repeat(126)}kz/`
  ],
  webhook_url_tunnel_forbidden: [
    "https://1234.ngrok.io/hook",
    "https://1234.NGROK-free.app/hook",
    "https://a.b.trycloudflare.com/",
    "https://shop.loca.lt./",
    "https://shop.serveo.net/",
    "https://ngrok.io/"
  ]
}

describe("addresses of endpoints", () => {
  for (const [code, values] of Object.entries(live)) {
    it(`live: ${code}`, () => {
      for (const value of values) assert.strictEqual(codeOf(value, "live"), code, String(value))
    })
  }

  it("sandbox: http, local and temporary ones are welcome, broken ones are not", () => {
    for (const code of ["webhook_url_requires_https", "webhook_url_requires_domain", "webhook_url_tunnel_forbidden"]) {
      for (const value of live[code] ?? []) assert.strictEqual(codeOf(value, "sandbox"), "accepted", String(value))
    }
    for (const value of live["invalid_url"] ?? []) assert.strictEqual(codeOf(value, "sandbox"), "invalid_url")
  })
})

const local = [
  "127.0.0.1",
  "127.255.255.254",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "::1",
  "fd00::1"
]

const neverReachable = [
  "0.0.0.0",
  "100.64.0.1",
  "168.63.129.16",
  "169.254.169.254",
  "192.0.0.1",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "::7f00:1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::7f00:1",
  "100::1",
  "2001::1",
  "2001:10::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "3fff::1",
  "5f00::1",
  "fe80::1",
  "fec0::1",
  "ff02::1"
]

const everyones = [
  "1.1.1.1",
  "8.8.8.8",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2001:4860:4860::8888",
  "2606:4700::1111",
  "2a00:1450::1"
]

describe("addresses that an attempt may connect to", () => {
  const allowed = (text: string, mode: Mode) => standard(NetAddress.ipFromStringUnsafe(text), mode)

  it("live: those of the public Internet", () => {
    for (const text of everyones) assert.isTrue(allowed(text, "live"), text)
    for (const text of [...local, ...neverReachable]) assert.isFalse(allowed(text, "live"), text)
  })

  it("sandbox: also this machine and private networks, but never the addresses that clouds keep credentials at", () => {
    for (const text of [...everyones, ...local]) assert.isTrue(allowed(text, "sandbox"), text)
    for (const text of neverReachable) assert.isFalse(allowed(text, "sandbox"), text)
  })

  it("knows every form of an IPv4 address within IPv6 for what it is", () => {
    for (const hidden of ["::ffff:10.0.0.1", "::10.0.0.1", "64:ff9b::10.0.0.1", "2002:a00:1::"]) {
      assert.isFalse(isPublic(NetAddress.ipFromStringUnsafe(hidden)), hidden)
    }
  })
})
