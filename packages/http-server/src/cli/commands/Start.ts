/** `tolem start`: the first run of a newcomer who has just fetched the project. */
import { Effect, Option, Redacted } from "effect"
import { Command } from "effect/cli"
import * as SiteBuild from "../../cabinet/SiteBuild.ts"
import { configuration } from "../config/ConfigFile.ts"
import * as DemoShop from "../kit/DemoShop.ts"
import * as LoginChannels from "../kit/LoginChannels.ts"
import { Output } from "../kit/Output.ts"
import * as Service from "../kit/Service.ts"

/** Serves, and on the first start of a database hands out a sandbox key and three calls to paste. */
export const start = Command.make("start", Service.flags, (given) =>
  Effect.gen(function* () {
    const options = yield* withLogin(given)
    const shows = Option.getOrElse(options.loginChannels, () => "").includes(LoginChannels.consoleName)
    return yield* Service.runUntilStopped(options, (ready) => announce(ready, options.database.url, shows))
  })
).pipe(
  Command.withDescription(
    "Run the service; on the first start make a demo organization with a sandbox key, and show it. A service of this " +
      "machine alone writes login codes to its log, unless it is told how else to send them"
  ),
  Command.withShortDescription("Run the service, with a key to try it on the first start")
)

/** Where no other machine reaches the service and no channel is set up, the log has the codes to log in with. */
const withLogin = Effect.fnUntraced(function* (options: Service.Options) {
  const { channels = [] } = yield* configuration
  const isSetUp = Option.isSome(options.loginChannels) || channels.length > 0
  return isSetUp || Service.hostOf(options) !== "127.0.0.1"
    ? options
    : { ...options, loginChannels: Option.some(LoginChannels.consoleName) }
})

/** Says that the service runs, and how to begin. The cabinet is made ready meanwhile, where it has to be built. */
const announce = Effect.fnUntraced(function* (ready: Service.Ready, database: string, showsCodes: boolean) {
  yield* Effect.forkDetach(SiteBuild.ready)
  const shop = yield* DemoShop.open
  const { key, exists, payAt } = shop
  const output = yield* Output
  const cabinet = `${ready.baseUrl}/cabinet/`
  const payPage = Option.getOrNull(payAt)
  const common = { status: "ready", port: ready.port, baseUrl: ready.baseUrl, cabinet, payPage, database }
  const places = placesOf(ready, database, showsCodes, shop)
  yield* output.tell(
    Option.match(key, {
      onSome: (text) => {
        const apiKey = Redacted.value(text)
        const json = { ...common, firstStart: true, organization: { id: DemoShop.id }, apiKey }
        return { json, text: welcome(ready, apiKey, places) }
      },
      onNone: () => ({
        json: { ...common, firstStart: false },
        text: welcomeBack(places, database, exists ? DemoShop.id : "ID")
      })
    })
  )
})

/** Where everything is. Only the owner of the demo shop has a phone that is known here. */
const placesOf = (
  { baseUrl }: Service.Ready,
  database: string,
  showsCodes: boolean,
  { exists, payAt }: DemoShop.OpenShop
): string => {
  const phone = exists ? DemoShop.phone.replace(/^7(...)(...)(..)(..)$/, "+7 $1 $2 $3 $4") : "your phone"
  const page = Option.match(payAt, {
    onNone: () => "",
    onSome: (url) => `  pay page    ${url}\n              pay as a customer would: no money moves\n`
  })
  const login = showsCodes ? `\n              log in with ${phone}: the code appears here` : ""
  return `Tölem is running at ${baseUrl}
${page}  cabinet     ${baseUrl}/cabinet/${login}
  documents   ${baseUrl}/docs
  data        ${database}`
}

/** The calls work as pasted, one after another, in any shell of the Bourne family. */
const welcome = ({ port }: Service.Ready, apiKey: string, places: string): string => {
  const invoices = `http://localhost:${port}/api/v1/invoices`
  const curl = `curl -sS -w '\\n' -H 'X-API-Key: ${apiKey}'`
  const json = "-H 'Content-Type: application/json'"
  const create = `${curl} ${json} -d '{"amount": 1500, "description": "Two coffees"}' ${invoices}`
  return `
${places}

Your sandbox key, shown this once (no money moves):
  ${apiKey}

Paste these into another terminal. Create an invoice:
INVOICE=$(${create} | grep -o 'inv_[0-9a-z]*' | head -n 1); echo "$INVOICE"

Pay it, as a customer would:
${curl} ${json} -d '{"status": "paid"}' ${invoices}/$INVOICE/simulate

Read it:
${curl} ${invoices}/$INVOICE

Ctrl+C stops the service.
`
}

const welcomeBack = (places: string, database: string, organization: string): string => `
${places}

The key was shown at the first start. To make another one:
npm run -s tolem -- key create --database '${database}' --org ${organization} --mode sandbox --name another --scopes all

Ctrl+C stops the service.
`
