/** What is wrong with what a configuration file has exported, and at which member. Pure. */
import { defaults, type Settings, type SettingsPart, withSettings } from "@tolem/core/engine/Settings"
import { tariffOf } from "@tolem/core/merchant/TariffPlan"
import { isObject } from "@tolem/core/value/Checks"
import { Layer } from "effect"
import type { TolemConfig } from "../../Config.ts"
import * as Addresses from "../kit/Addresses.ts"

/** A member that is wrong: the names that lead to it, and what it is or must be. */
export interface Fault {
  readonly path: ReadonlyArray<string>
  readonly what: string
}

type Check = (value: unknown, path: ReadonlyArray<string>) => Fault | undefined

/** What each setting looks like, also those that are null or empty by default. A test holds it complete. */
export const examples: Settings = withSettings(defaults, {
  mail: { perDay: 1 },
  sandbox: { invoicesPerDay: 1, keptMs: 1, mailTo: ["qa@example.kz"] },
  retention: { attemptsMs: 1, attemptBodiesMs: 1, deliveriesMs: 1, lettersMs: 1 },
  tariffs: {
    catalogue: [tariffOf("start", "Start", 500, { priceTenge: 5_000 })],
    seller: { organizationId: "org_1", mode: "live" }
  },
  webhook: { privateNetworks: ["10.0.0.0/8"] },
  servers: { version: "1.0.0" }
} satisfies SettingsPart)

/** Texts that are more than texts. */
const texts: Readonly<Record<string, readonly [isRight: (text: string) => boolean, must: string]>> = {
  "settings.baseUrl": [Addresses.isBase, "must be an http or https address"],
  "settings.webhook.privateNetworks": [Addresses.isNetworkOrHost, "must be a network, as 10.0.0.0/8, or a host"],
  "settings.sandbox.mailTo": [Addresses.isMailTo, "must be an address or @DOMAIN"],
  "settings.tariffs.seller.mode": [(text) => text === "live" || text === "sandbox", "must be sandbox or live"]
}

/** The first member that is wrong, in the order of the file. */
export const faultOf = (config: unknown): Fault | undefined => {
  if (!isObject(config)) return { path: [], what: "must export defineConfig({ … }) as its default" }
  return membersOf(config, [], { checks, whole: false })
}

/** The first of the faults that are there. */
const first = <A>(all: Iterable<A>, check: (each: A) => Fault | undefined): Fault | undefined => {
  for (const each of all) {
    const fault = check(each)
    if (fault !== undefined) return fault
  }
  return undefined
}

const membersOf = (
  given: object,
  path: ReadonlyArray<string>,
  options: { readonly checks: Readonly<Record<string, Check>>; readonly whole: boolean }
): Fault | undefined => {
  const { checks, whole } = options
  const wrong = first(Object.entries(given), ([name, value]) => {
    if (!Object.hasOwn(checks, name)) return unknown([...path, name], Object.keys(checks))
    return value === undefined ? undefined : checks[name]?.(value, [...path, name])
  })
  const missing = whole ? Object.keys(checks).find((name) => !(name in given)) : undefined
  return wrong ?? (missing === undefined ? undefined : { path, what: `lacks ${missing}` })
}

const unknown = (path: ReadonlyArray<string>, known: ReadonlyArray<string>): Fault => {
  const nearest = nearestTo(path.at(-1) ?? "", known)
  return {
    path,
    what: `is not known${nearest === undefined ? `: there are ${known.join(", ")}` : `: is it ${nearest}?`}`
  }
}

const must = (path: ReadonlyArray<string>, kind: string, value: unknown): Fault => ({
  path,
  what: `must be ${kind}, not ${kindOf(value)}`
})

// What was given is not repeated: it may be a secret at the wrong place.
const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "number") return value < 0 ? "a negative one" : "a number"
  return kinds[typeof value] ?? `a ${typeof value}`
}

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  object: "an object",
  undefined: "nothing"
}

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""
const text: Check = (value, path) => (isText(value) ? undefined : must(path, "a text", value))
const flag: Check = (value, path) => (typeof value === "boolean" ? undefined : must(path, "true or false", value))
const count: Check = (value, path) => {
  const isCount = typeof value === "number" && Number.isFinite(value) && value >= 0
  return isCount ? undefined : must(path, "a number that is not negative", value)
}

const layer =
  (maker: string): Check =>
  (value, path) =>
    Layer.isLayer(value) ? undefined : must(path, `what ${maker} answers`, value)

const list =
  (check: Check): Check =>
  (value, path) =>
    Array.isArray(value)
      ? first(value.entries(), ([index, each]) => check(each, [...path, `${index}`]))
      : must(path, "a list", value)

const object =
  (checks: Readonly<Record<string, Check>>, whole: boolean): Check =>
  (value, path) =>
    isObject(value) && !Array.isArray(value)
      ? membersOf(value, path, { checks, whole })
      : must(path, "an object", value)

/** The check of whatever looks like the example; null is allowed where it is the default. */
const like = (example: unknown, usual: unknown, path: string, whole = false): Check => {
  if (usual === null && example !== null) {
    const check = like(example, undefined, path, true)
    return (value, at) => (value === null ? undefined : check(value, at))
  }
  if (Array.isArray(example)) return list(like(example[0], Array.isArray(usual) ? usual[0] : undefined, path, true))
  if (isObject(example)) {
    const member = isObject(usual) ? (name: string) => Reflect.get(usual, name) : () => undefined
    const entries = Object.entries(example).map(([name, each]) => {
      return [name, like(each, member(name), `${path}.${name}`, whole)] as const
    })
    return object(Object.fromEntries(entries), whole)
  }
  if (typeof example === "number") return count
  if (typeof example === "boolean") return flag
  const [isRight, what] = texts[path] ?? [undefined, ""]
  return (value, at) => text(value, at) ?? (isRight?.(String(value)) === false ? { path: at, what } : undefined)
}

const named: Check = (value, path) =>
  typeof value === "string" && /^[a-z][a-z0-9_-]{0,31}$/.test(value)
    ? undefined
    : { path, what: "must be a name in lower case, as sms" }

/** A channel may be an object with more than these two. */
const channel: Check = (value, path) => {
  if (!isObject(value)) return must(path, "an object", value)
  const { name, send } = value
  const wrong = named(name, [...path, "name"])
  return wrong ?? (typeof send === "function" ? undefined : must([...path, "send"], "a function", send))
}

const unique = (member: string, check: Check): Check => {
  const all = list(check)
  return (value, path) => {
    const wrong = all(value, path)
    if (wrong !== undefined || !Array.isArray(value)) return wrong
    const names = value.map((each) => each[member])
    const twice = names.findIndex((name, index) => names.indexOf(name) !== index)
    return twice < 0 ? undefined : { path: [...path, `${twice}`, member], what: "is taken by another one of the list" }
  }
}

const offer: Check = (value, path) => {
  const needed = { code: text, name: text, monthlyLimit: count }
  const wrong = object({ ...needed, dailyLimit: count, priceTenge: count, partner: flag }, false)(value, path)
  const given = isObject(value) ? value : {}
  const missing = Object.keys(needed).find((name) => Reflect.get(given, name) === undefined)
  return wrong ?? (missing === undefined ? undefined : { path, what: `lacks ${missing}` })
}

const tariffs: Check = (value, path) => {
  if (value === "none") return undefined
  if (!Array.isArray(value)) return must(path, "a list, or none", value)
  return value.length === 0 ? { path, what: 'must not be empty; write "none"' } : unique("code", offer)(value, path)
}

const checks: Readonly<Record<keyof TolemConfig, Check>> = {
  provider: layer("defineProvider"),
  channels: unique("name", channel),
  mailer: layer("defineMailer"),
  tariffs,
  settings: like(examples, defaults, "settings")
}

/** The known name that differs least, if it differs by little. */
const nearestTo = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const [nearest] = known
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ distance }) => distance <= 3)
    .sort((a, b) => a.distance - b.distance)
  return nearest?.each
}

/** How many letters one has to change, add or take away to make one of the other. */
const distanceOf = (one: string, other: string): number => {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of Array.from(one).entries()) {
    const now = [index + 1]
    for (let at = 1; at <= other.length; at++) {
      const changed = (before[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1)
      now.push(Math.min((before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1, changed))
    }
    before = now
  }
  return before[other.length] ?? 0
}
