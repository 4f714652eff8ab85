/** Generates requests that nobody should send. Same seed, same requests. */
import { headers, ids, names, queryNames, queryValues, scalars, types } from "./hostileTexts.ts"

/** A source of numbers from 0 up to 1. */
export type Random = () => number

/** Mulberry32. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = <A>(random: Random, items: ReadonlyArray<A>): A => items[Math.floor(random() * items.length)]!
const times = (random: Random, most: number): ReadonlyArray<number> =>
  Array.from({ length: Math.floor(random() * (most + 1)) }, (_, i) => i)
const chance = (random: Random, share: number): boolean => random() < share

/** What a test knows that hostile requests aim at. */
export interface Targets {
  readonly apiKeys: ReadonlyArray<string>
  readonly invoiceIds: ReadonlyArray<string>
  readonly endpointIds: ReadonlyArray<string>
  readonly paths: ReadonlyArray<{ readonly method: string; readonly path: string }>
}

/** A request as bytes, and whether it ends: an unfinished one is answered when its time is up. */
export interface Hostile {
  readonly method: string
  readonly path: string
  readonly bytes: Buffer
}

const value = (random: Random, depth: number): string => {
  if (depth > 0 && chance(random, 0.25)) {
    return `[${times(random, 4)
      .map(() => value(random, depth - 1))
      .join(",")}]`
  }
  if (depth > 0 && chance(random, 0.3)) return object(random, depth - 1)
  if (chance(random, 0.03))
    return `"${pick(random, ["x", "ә", "🧾", "\\u0000"]).repeat(1 + Math.floor(random() * 20_000))}"`
  if (chance(random, 0.02)) return nested(random)
  return pick(random, scalars)
}

const nested = (random: Random): string => {
  const depth = 1 + Math.floor(random() * 60_000)
  return chance(random, 0.5) ? "[".repeat(depth) + "]".repeat(depth) : `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`
}

const object = (random: Random, depth: number): string => {
  const space = () => (chance(random, 0.1) ? pick(random, [" ", "\t", "\n", "\u00a0", "\u0001"]) : "")
  const members = times(random, 6).map(() => `${space()}"${pick(random, names)}"${space()}:${value(random, depth)}`)
  return `{${members.join(",")}}`
}

/** A body that is right but for some members. */
const almostRight = (random: Random): string => {
  const right: Record<string, string> = {
    amount: "1500",
    kind: '"qr"',
    description: '"x"',
    customer: "{}",
    metadata: "{}",
    status: '"paid"',
    phone: '"77001234567"',
    challengeId: '"chl_0000000000000000000000000a"',
    code: '"123456"',
    url: '"http://localhost:9/"',
    events: "[]",
    invoices: '[{"amount":1}]',
    reason: '"x"',
    title: '"x"',
    name: '"x"'
  }
  for (const _ of times(random, 3)) right[pick(random, names)] = value(random, 3)
  return `{${Object.entries(right)
    .map(([name, text]) => `"${name}":${text}`)
    .join(",")}}`
}

const body = (random: Random): Buffer => {
  const kind = random()
  if (kind < 0.5) return Buffer.from(almostRight(random))
  if (kind < 0.75) return Buffer.from(value(random, 4))
  if (kind < 0.85) return spoiled(random, Buffer.from(almostRight(random)))
  if (kind < 0.9) return Buffer.from(`{"amount":1,"filler":"${"x".repeat(Math.floor(random() * 600_000))}"}`)
  if (kind < 0.95) return Buffer.from(nested(random))
  return Buffer.from(times(random, 300).map(() => Math.floor(random() * 256)))
}

const formNames = ["amount", "sum", "price", "phone", "email", "name", "comment", "__proto__", "%00", "a[b]", ""]

/** A form of the type that goes with it, more or less. */
const form = (random: Random): { readonly type: string; readonly content: Buffer } => {
  const fields = times(random, 6).map(() => [pick(random, formNames), pick(random, queryValues)] as const)
  const multipart = chance(random, 0.5)
  const part = (name: string, text: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
  const text = multipart
    ? `${fields.map(([name, text]) => part(name, text)).join("")}--x--`
    : fields.map(([name, text]) => `${name}=${text}`).join("&")
  const whole = Buffer.from(text)
  const content = chance(random, 0.2) ? spoiled(random, whole) : whole
  const type = multipart ? "multipart/form-data; boundary=x" : "application/x-www-form-urlencoded"
  return { type, content: chance(random, 0.2) ? content.subarray(0, Math.floor(random() * content.length)) : content }
}

const spoiled = (random: Random, bytes: Buffer): Buffer => {
  const spoiling = pick(random, [[0xff], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0x00], [0x80], [0xf4, 0x90, 0x80, 0x80]])
  const at = Math.floor(random() * (bytes.length + 1))
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(spoiling), bytes.subarray(at)])
}

const query = (random: Random): string => {
  const parts = times(random, 4).map(
    () => `${pick(random, queryNames)}${pick(random, ["=", "=", "=", "[]=", "[a]="])}${pick(random, queryValues)}`
  )
  return parts.length === 0 ? "" : `?${parts.join(pick(random, ["&", "&", "&&", ";"]))}`
}

const line = (random: Random, targets: Targets) => {
  const target = pick(random, targets.paths)
  const invoice = chance(random, 0.7) ? pick(random, targets.invoiceIds) : pick(random, ids)
  const endpoint = chance(random, 0.7) ? pick(random, targets.endpointIds) : pick(random, ids)
  const filled = target.path
    .replace("{deliveryId}", pick(random, ids))
    .replace("{id}", target.path.includes("webhook-endpoints") ? endpoint : invoice)
  const aliased = chance(random, 0.1)
    ? filled.replace("/invoices", pick(random, ["/orders", "//orders", "/ORDERS"]))
    : filled
  const path = chance(random, 0.05)
    ? pick(random, ["/", "//", "/..", "/%", "/api/v1/%zz", "/docs", "/metrics", "/health/ready"])
    : aliased
  const method = chance(random, 0.1)
    ? pick(random, ["GET", "PUT", "DELETE", "OPTIONS", "TRACE", "HEAD", "PATCH", "POST", "QUERY"])
    : target.method
  return { method, path: path + (chance(random, 0.4) ? query(random) : "") }
}

/** One request. Most are whole HTTP requests with hostile content, some break HTTP itself. */
export const hostile = (random: Random, targets: Targets): Hostile => {
  const { method, path } = line(random, targets)
  const { type, content } =
    path.startsWith("/f/") && chance(random, 0.8)
      ? form(random)
      : { type: pick(random, types), content: chance(random, 0.85) ? body(random) : Buffer.alloc(0) }
  const extra = times(random, 3).map(() => pick(random, headers))
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    `X-API-Key: ${pick(random, targets.apiKeys)}`,
    `Content-Type: ${type}`,
    "Connection: close",
    ...extra
  ]
  const whole = (lines: ReadonlyArray<string>, rest: Buffer) =>
    Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), rest])
  const sized = [...head, `Content-Length: ${content.length}`]
  const breakage = random()
  const bytes =
    breakage < 0.85
      ? whole(sized, content)
      : breakage < 0.9
        ? whole([...head, "Transfer-Encoding: chunked"], chunked(random, content))
        : breakage < 0.91
          ? whole([...sized, "Host: second"], content)
          : breakage < 0.92
            ? whole(
                sized.filter((one) => !one.startsWith("Host")),
                content
              )
            : breakage < 0.93
              ? whole([...sized, `X-Long: ${"x".repeat(Math.floor(random() * 40_000))}`], content)
              : breakage < 0.94
                ? whole([...sized, "Transfer-Encoding: chunked"], content)
                : breakage < 0.95
                  ? whole([...sized, "Content-Length: 7"], content)
                  : breakage < 0.96
                    ? whole([...sized, "Bad Header: x"], content)
                    : breakage < 0.97
                      ? whole(
                          sized.with(0, `${method} ${path} HTTP/${pick(random, ["0.9", "1.0", "2.0", "1.x", ""])}`),
                          content
                        )
                      : breakage < 0.98
                        ? whole(
                            [...head, `Content-Length: ${content.length + 1 + Math.floor(random() * 1000)}`],
                            content
                          )
                        : breakage < 0.99
                          ? whole(sized, content).subarray(0, Math.floor(random() * 200))
                          : Buffer.from(times(random, 500).map(() => Math.floor(random() * 256)))
  return { method, path, bytes: bytes.length === 0 ? Buffer.from("\r") : bytes }
}

const chunked = (random: Random, content: Buffer): Buffer => {
  const size = pick(random, [content.length.toString(16), "zz", "-1", "ffffffffffffffff", "5;x=y", ""])
  const end = pick(random, ["0\r\n\r\n", "0\r\n\r\n", "0\r\nTrailer: x\r\n\r\n", "", "\r\n"])
  return Buffer.concat([Buffer.from(`${size}\r\n`), content, Buffer.from(`\r\n${end}`)])
}
