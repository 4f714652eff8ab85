import { describe, it } from "@effect/vitest"
import { Result } from "effect"
import { NetAddress } from "effect/net"
import { assert } from "vitest"
import { defaults } from "../../src/engine/Settings.ts"
import type { Mode } from "../../src/value/Mode.ts"
import { checkAddress } from "../../src/webhook/Address.ts"
import { type AddressVerdict, addressOf, isPublic, rulesOf, standard } from "../../src/webhook/sending/AddressPolicy.ts"

const rules = (baseUrl: string, ...privateNetworks: ReadonlyArray<string>) =>
  rulesOf({ baseUrl, webhook: { ...defaults.webhook, privateNetworks } })

const unlisted = rules("https://pay.kz")

const codeOf = (value: unknown, mode: Mode, given = unlisted): string => {
  const result = checkAddress(value, mode, given)
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

describe("addresses of endpoints that the operator has listed", () => {
  const listed = rules("https://pay.kz", "10.1.0.0/16", "Shop.Internal.", "fd00:1::/32")

  it("may be http and local in live mode, where their host or its network is listed", () => {
    for (const url of [
      "http://10.1.2.3/hook",
      "http://shop.internal:8080/",
      "https://[fd00:1::5]/",
      "http://SHOP.internal"
    ]) {
      assert.strictEqual(codeOf(url, "live", listed), "accepted", url)
    }
  })

  it("are no others", () => {
    assert.strictEqual(codeOf("http://10.2.0.1/", "live", listed), "webhook_url_requires_https")
    assert.strictEqual(codeOf("https://10.2.0.1/", "live", listed), "webhook_url_requires_domain")
    assert.strictEqual(codeOf("https://other.internal/", "live", listed), "webhook_url_requires_domain")
    assert.strictEqual(
      codeOf("https://169.254.169.254/", "live", rules("https://pay.kz", "169.254.0.0/16")),
      "webhook_url_requires_domain"
    )
  })
})

/** Not even where everything is listed. */
const never = [
  "0.0.0.0",
  "100.100.100.200",
  "168.63.129.16",
  "169.254.169.254",
  "169.254.0.1",
  "192.0.0.192",
  "224.0.0.1",
  "239.255.255.255",
  "255.255.255.255",
  "::",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "::ffff:8.8.8.8",
  "::7f00:1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::7f00:1",
  "2001::1",
  "2002:7f00:1::",
  "fd00:ec2::254",
  "fd00:ec2::253",
  "fd20:ce::254",
  "fe80::1",
  "ff02::1"
]

describe("addresses that an attempt may connect to", () => {
  const verdict = (text: string, mode: Mode, given: ReturnType<typeof rules>, host = "receiver.kz"): AddressVerdict =>
    standard(NetAddress.ipFromStringUnsafe(text), { mode, host }, given)
  const developers = rules("http://localhost:3000")

  it("are those of the public Internet, in either mode", () => {
    for (const mode of ["live", "sandbox"] as const) {
      for (const text of everyones) assert.strictEqual(verdict(text, mode, unlisted), "open", text)
      for (const text of [...local, ...neverReachable, ...never]) {
        assert.strictEqual(verdict(text, mode, unlisted), "refused", `${mode} ${text}`)
      }
    }
  })

  it("are also this machine and private networks for sandboxes of a service on this machine", () => {
    for (const base of ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:80", "https://pay.localhost"]) {
      for (const text of local) assert.strictEqual(verdict(text, "sandbox", rules(base)), "inner", text)
    }
    for (const text of local) assert.strictEqual(verdict(text, "live", developers), "refused", text)
    for (const text of [...neverReachable, ...never]) {
      assert.strictEqual(verdict(text, "sandbox", developers), "refused", text)
    }
  })

  it("are also what the operator has listed, by network or by host, in either mode", () => {
    const listed = rules("https://pay.kz", "10.1.0.0/16", "100.64.0.0/10", "fd00:1::/32", "127.0.0.1", "shop.internal")
    for (const mode of ["live", "sandbox"] as const) {
      for (const text of ["10.1.2.3", "100.64.0.1", "fd00:1::5", "127.0.0.1"]) {
        assert.strictEqual(verdict(text, mode, listed), "inner", text)
      }
      for (const text of ["10.2.0.1", "127.0.0.2", "fd00:2::1", "192.168.0.1"]) {
        assert.strictEqual(verdict(text, mode, listed), "refused", text)
        assert.strictEqual(verdict(text, mode, listed, "shop.internal"), "inner", text)
      }
    }
  })

  it("are never where clouds keep credentials, nor disguised ones, whatever is listed", () => {
    const all = rules("http://localhost:3000", "0.0.0.0/0", "::/0", "receiver.kz")
    for (const mode of ["live", "sandbox"] as const) {
      for (const text of never) assert.strictEqual(verdict(text, mode, all), "refused", text)
    }
  })

  it("knows every form of an IPv4 address within IPv6 for what it is", () => {
    for (const hidden of ["::ffff:10.0.0.1", "::10.0.0.1", "64:ff9b::10.0.0.1", "2002:a00:1::"]) {
      assert.isFalse(isPublic(NetAddress.ipFromStringUnsafe(hidden)), hidden)
    }
    assert.isUndefined(addressOf("receiver.kz"))
  })
})
