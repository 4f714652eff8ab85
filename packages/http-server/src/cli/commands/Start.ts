/** `tolem start`: the first run of a newcomer who has just fetched the project. */
import { Effect, Option, Redacted } from "effect"
import { Command } from "effect/cli"
import * as DemoShop from "../kit/DemoShop.ts"
import { Output } from "../kit/Output.ts"
import * as Service from "../kit/Service.ts"

/** Serves, and on the first start of a database hands out a sandbox key and three calls to paste. */
export const start = Command.make("start", Service.flags, (options) =>
  Service.runUntilStopped(options, (ready) =>
    Effect.gen(function* () {
      const { key, exists } = yield* DemoShop.open
      const output = yield* Output
      const database = options.database.url
      const common = { status: "ready", port: ready.port, baseUrl: ready.baseUrl, database }
      yield* output.tell(
        Option.match(key, {
          onSome: (text) => {
            const apiKey = Redacted.value(text)
            const json = { ...common, firstStart: true, organization: { id: DemoShop.id }, apiKey }
            return { json, text: welcome(ready, apiKey, database) }
          },
          onNone: () => ({
            json: { ...common, firstStart: false },
            text: welcomeBack(ready, database, exists ? DemoShop.id : "ID")
          })
        })
      )
    })
  )
).pipe(
  Command.withDescription(
    "Run the service; on the first start make a demo organization with a sandbox key, and show it"
  ),
  Command.withShortDescription("Run the service, with a key to try it on the first start")
)

/** The calls work as pasted, one after another, in any shell of the Bourne family. */
const welcome = ({ port, baseUrl }: Service.Ready, apiKey: string, database: string): string => {
  const invoices = `http://localhost:${port}/api/v1/invoices`
  const curl = `curl -sS -w '\\n' -H 'X-API-Key: ${apiKey}'`
  const json = "-H 'Content-Type: application/json'"
  const create = `${curl} ${json} -d '{"amount": 1500, "description": "Two coffees"}' ${invoices}`
  return `
Tölem is running at ${baseUrl}
  documents   ${baseUrl}/docs
  data        ${database}

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

const welcomeBack = ({ baseUrl }: Service.Ready, database: string, organization: string): string => `
Tölem is running at ${baseUrl}
  documents   ${baseUrl}/docs
  data        ${database}

The key was shown at the first start. To make another one:
npm run -s tolem -- key create --database '${database}' --org ${organization} --mode sandbox --name another --scopes all

Ctrl+C stops the service.
`
