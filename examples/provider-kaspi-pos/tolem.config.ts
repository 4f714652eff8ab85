/** Kaspi POS as the provider of the reference server: `tolem serve`, started in this folder. */
import { defineConfig } from "@tolem/http-server"
import { kaspiPos } from "./src/KaspiPos.ts"

export default defineConfig({ provider: kaspiPos({ url: process.env["KASPI_POS_URL"] ?? "http://127.0.0.1:3000" }) })
