/** The channel in the reference server: `tolem serve`, started in this folder. */
import { defineConfig } from "@tolem/http-server"
import { httpChannel } from "./src/HttpChannel.ts"
import { gatewayOf } from "./src/Sms.ts"

export default defineConfig({ channels: [httpChannel(gatewayOf(process.env))] })
