/** The channel in the reference server: `tolem serve`, started in this folder. */

import { httpChannel } from "@tolem/adapter-node"
import { defineConfig } from "@tolem/http-server"
import { gatewayOf } from "./src/Sms.ts"

export default defineConfig({ channels: [httpChannel(gatewayOf(process.env))] })
