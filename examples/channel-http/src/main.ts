/** The channel in an application of its own: `SMS_URL=… SMS_KEY=… node src/main.ts 77001234567` logs a person in. */
import { createInterface } from "node:readline/promises"
import { httpChannel, nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine } from "@tolem/core"
import { gatewayOf } from "./Sms.ts"

const engine = await createEngine({
  database: sqlite({ filename: ":memory:" }),
  platform: nodePlatform(),
  secretKeys: ["a text of at least 32 characters that only you know"],
  codeChannels: [httpChannel(gatewayOf(process.env))]
})
const terminal = createInterface({ input: process.stdin, output: process.stdout })
try {
  const { challengeId } = await engine.logins.begin({ phone: process.argv[2] ?? "" })
  const { account } = await engine.logins.finish({ challengeId, code: await terminal.question("Code: ") })
  console.log(`Logged in: ${account.phone}`)
} finally {
  terminal.close()
  await engine.close()
}
