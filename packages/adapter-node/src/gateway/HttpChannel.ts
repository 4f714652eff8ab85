/**
 * Login codes through an SMS gateway that is called over HTTP. What it is sent is a template, in which `{phone}` is
 * 7XXXXXXXXXX, `{code}` the code, and `{text}` the message with the code in it.
 */
import { defaults, type EmbeddedChannel } from "@tolem/core"
import { rulesOf } from "@tolem/core/webhook/sending/AddressPolicy"
import { ask } from "./Ask.ts"
import { faultOf } from "./Faults.ts"
import type { Gateway } from "./Gateway.ts"
import { filled, filledJson, filledUrl, type Values } from "./Template.ts"

/** Long enough for a gateway that asks the carrier, short enough for the person who waits. */
const usualTimeoutMs = 10_000
/** Gateways answer with a number and a word. */
const usualAnswerBytes = 16 * 1024

/**
 * The channel. Throws if the template can never work. Each code is sent once: without an answer it may have been sent,
 * and the person asks for another one.
 */
export const httpChannel = (gateway: Gateway): EmbeddedChannel => {
  const { name, privateNetworks = [], onFailure = () => {} } = gateway
  const rules = rulesOf({ ...defaults, webhook: { ...defaults.webhook, privateNetworks } })
  const fault = faultOf(gateway, rules)
  if (fault !== undefined) throw new TypeError(`The gateway ${name}: ${fault}`)
  return {
    name,
    send: async ({ phone, code }) => {
      const answer = await ask(
        { ...requestOf(gateway, { phone, code, text: filled(gateway.text, { code }) }), rules },
        { timeoutMs: gateway.timeoutMs ?? usualTimeoutMs, maxBytes: gateway.maxAnswerBytes ?? usualAnswerBytes }
      )
      const reason = typeof answer === "string" ? answer : refusalOf(gateway, answer)
      if (reason === undefined) return
      onFailure(reason)
      throw new Error(`The gateway ${name}: ${reason}`)
    }
  }
}

const requestOf = ({ url, method = "POST", headers = {}, json, form }: Gateway, values: Values) => {
  const common = { url: filledUrl(url, values), method }
  if (json !== undefined) {
    const body = JSON.stringify(filledJson(json, values))
    return { ...common, headers: { "content-type": "application/json", ...headers }, body }
  }
  if (form === undefined) return { ...common, headers, body: null }
  const fields = Object.entries(form).map(([field, text]) => [field, filled(text, values)])
  const body = new URLSearchParams(fields).toString()
  return { ...common, headers: { "content-type": "application/x-www-form-urlencoded", ...headers }, body }
}

const refusalOf = ({ accepted, refused }: Gateway, answer: { readonly status: number; readonly text: string }) => {
  if (answer.status < 200 || answer.status > 299) return `answered ${answer.status}`
  if (refused?.test(answer.text) === true) return "has refused the message"
  return accepted?.test(answer.text) === false ? "did not say that it has taken the message" : undefined
}
