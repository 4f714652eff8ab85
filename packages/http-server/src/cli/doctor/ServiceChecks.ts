/** Checks of what a service reaches and is reached at: addresses, mail, login codes, the provider. */
import { lookup } from "node:dns/promises"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { CodeChannels } from "@tolem/core/login/CodeChannel"
import { isZoneCurrent } from "@tolem/core/value/Calendar"
import { isOfThisMachine } from "@tolem/core/webhook/sending/AddressPolicy"
import * as HttpProvider from "@tolem/provider-sandbox/HttpProvider"
import * as Protocol from "@tolem/provider-sandbox/Protocol"
import { Effect, Option, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { TolemConfig } from "../../Config.ts"
import { isNetwork } from "../kit/Addresses.ts"
import * as LoginChannels from "../kit/LoginChannels.ts"
import * as Mail from "../kit/Mail.ts"
import * as ProviderSecret from "../kit/ProviderSecret.ts"
import * as Telegram from "../kit/Telegram.ts"
import { faulty, passed, type Told, warned, worst } from "./Remark.ts"

/** Whether this Node knows the time of Almaty. */
export const zone: Effect.Effect<Told> = Effect.sync(() =>
  isZoneCurrent()
    ? passed(`Node ${process.versions.node} knows the time of Almaty`)
    : faulty("this Node does not know that Almaty is at UTC+5 since 2024-03-01", "Update Node")
)

/** What customers are told to open; `usual` is what that is where no address is named. */
export const baseUrl = (url: string | undefined, usual: string): Told => {
  if (url === undefined) return warned(`customers are sent to ${usual}`, "Name the address with --base-url")
  if (URL.parse(url)?.protocol === "https:") return passed(url)
  return isOfThisMachine(url)
    ? warned(`${url} is of this machine only`, "Name the address that customers reach with --base-url")
    : faulty(`${url} has keys, sessions and customers' data travel in clear text`, "Put TLS in front, and name https")
}

/** The base address where none is named. */
export const usualBase = (port: number | undefined, isTls: boolean): string => {
  const host = `${isTls ? "https" : "http"}://localhost`
  if (port === undefined) return host
  return port === 0 ? `${host} with the port that the system chooses` : `${host}:${port}`
}

/** Where webhooks may go; null: the base address is not known. */
const reachOf = (listed: ReadonlyArray<string>, isLocal: boolean | null): string => {
  const sandbox =
    ", and those of the sandbox to this machine and private networks too: the base address is of this machine"
  const which = isLocal === false || listed.length > 0 ? "webhooks" : "webhooks of live mode"
  const where = listed.length === 0 ? "go to public addresses only" : `may go to ${listed.join(", ")}`
  return `${which} ${where}${isLocal === true ? sandbox : ""}`
}

/**
 * Where in the operator's networks merchants may have the service send; `base` is undefined where none is named, and
 * null where what is named is wrong.
 */
export const networks = (listed: ReadonlyArray<string>, base: string | null | undefined) =>
  Effect.gen(function* () {
    const reach = reachOf(listed, base === null ? null : base === undefined || isOfThisMachine(base))
    if (listed.length === 0) return passed(reach)
    const hosts = listed.filter((text) => !isNetwork(text))
    const lost = yield* Effect.filter(hosts, (host) =>
      Effect.promise(() =>
        lookup(host).then(
          () => false,
          () => true
        )
      )
    )
    const wide = listed.find((text) => /\/0$/.test(text))
    return worst([
      passed(reach),
      ...(wide === undefined
        ? []
        : [faulty(`${wide} opens all of your networks to merchants`, "List the networks of the receivers only")]),
      ...(lost.length === 0
        ? []
        : [warned(`${lost.join(", ")} cannot be resolved here`, "Mend the name, or take it from the list")])
    ])
  })

/** The mail server: greeted, and logged in to. No letter is sent. */
export const mail = ({ mailer }: TolemConfig) =>
  Effect.gen(function* () {
    const options = yield* Mail.settings
    if (options === undefined) {
      return mailer === undefined
        ? passed("off: no letters are sent")
        : passed("by the mailer of the configuration file, which is not tried")
    }
    const where = `${options.host}:${options.port}`
    const reason = yield* Mail.tryOut(options)
    return reason === null
      ? passed(`${where} takes letters`)
      : faulty(
          `${where} does not take letters: ${mailFault(reason)}`,
          "Look at host, port, user and password of TOLEM_SMTP_URL"
        )
  })

/** What codes of a mail client mean. */
const mailFaults: Readonly<Record<string, string>> = {
  ECONNECTION: "no connection can be made",
  ESOCKET: "no connection can be made",
  EDNS: "its name is not known",
  ETIMEDOUT: "no answer in time",
  ETLS: "no encrypted connection can be made",
  EAUTH: "it refuses user and password"
}

const mailFault = (codes: string): string => {
  const words = mailFaults[codes.split(" ")[0] ?? ""]
  return words === undefined ? codes : `${words} (${codes})`
}

/** The bot that members are told by: asked its name. No message is sent. */
export const telegram = Effect.gen(function* () {
  const options = yield* Telegram.settings
  if (options === undefined) return passed("off: members are told by letter only")
  const greeting = yield* Telegram.greet(options)
  return "name" in greeting
    ? passed(`the bot @${greeting.name} answers`)
    : faulty(`the bot does not answer: ${greeting.fault}`, "Look at TOLEM_TELEGRAM_BOT_TOKEN, and at the way out")
})

/** How people log in to the cabinet. */
export const logins = (flag: Option.Option<string>, { channels, mailer }: TolemConfig) =>
  Effect.gen(function* () {
    const layer = yield* LoginChannels.layer(flag, channels, yield* Mail.isSetUp(mailer))
    const found = Option.getOrElse(yield* Effect.provide(Effect.serviceOption(CodeChannels), layer), () => [])
    const names = found.map(({ name }) => name)
    if (names.length === 0) return warned("none: people cannot log in to the cabinet", "See --login-channel of serve")
    return names.includes(LoginChannels.consoleName)
      ? warned("console writes codes to the log: all who read it can log in", "Take it from --login-channel")
      : passed(names.join(", "))
  })

/** The provider of live mode: asked what it speaks. Nothing is paid. */
export const provider = (url: Option.Option<string>, config: TolemConfig) =>
  Effect.gen(function* () {
    if (Option.isNone(url)) {
      return config.provider === undefined
        ? passed("none: there is no live mode")
        : passed("that of the configuration file, which is not tried")
    }
    const secret = yield* ProviderSecret.read(ProviderSecret.variable)
    const { host } = new URL(url.value)
    const client = HttpClient.mapRequest(yield* HttpClient.HttpClient, (request) =>
      secret === undefined
        ? request
        : HttpClientRequest.setHeader(request, Protocol.secretHeader, Redacted.value(secret))
    )
    const answer = yield* HttpProvider.describe(client, url.value.replace(/\/+$/, ""))
    if (answer._tag === "Accepted") return passed(`${host} speaks the provider protocol`)
    const why =
      answer._tag === "Refused"
        ? (answer.detail ?? answer.code)
        : answer._tag === "Unknown"
          ? answer.reason
          : answer._tag
    return faulty(
      `${host} does not answer as the protocol has it: ${why}`,
      `Look at --provider-url and ${ProviderSecret.variable}; tolem provider check says more`
    )
  }).pipe(Effect.provide(NodeHttpClient.layerUndici))
