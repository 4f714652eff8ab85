/** The gateway of this example, from the environment: what every gateway's documentation says of its calls. */
import type { Gateway } from "@tolem/adapter-node"

/** A gateway that takes JSON, names its customer by a header, and answers 200 with an `error` if it takes nothing. */
export const gatewayOf = (environment: NodeJS.ProcessEnv): Gateway => {
  const { SMS_URL, SMS_KEY, SMS_PRIVATE_NETWORKS } = environment
  if (SMS_URL === undefined || SMS_KEY === undefined) throw new Error("SMS_URL and SMS_KEY must be set")
  return {
    name: "sms",
    url: SMS_URL,
    headers: { authorization: `Bearer ${SMS_KEY}` },
    json: { to: "+{phone}", from: "Dastarkhan", text: "{text}" },
    text: "Кіру коды: {code}",
    accepted: /"id"/,
    refused: /"error"/,
    privateNetworks: SMS_PRIVATE_NETWORKS?.split(",") ?? [],
    onFailure: (reason) => process.stderr.write(`sms: ${reason}\n`)
  }
}
