/**
 * The program, in which a webhook to the port that TOLEM_TEST_DEADLY_PORT names ends the process on the spot, and a
 * server counts as one that lasts after a second.
 */
import { subscribe } from "node:diagnostics_channel"
import { webhook } from "@tolem/core/webhook/WebhookSettings"

Object.assign(webhook, { calmMs: 1_000 })

subscribe("undici:client:beforeConnect", (message) => {
  const { connectParams } = message as { readonly connectParams: { readonly port: string } }
  if (connectParams.port === process.env["TOLEM_TEST_DEADLY_PORT"]) process.kill(process.pid, "SIGKILL")
})

await import("../../../src/main.ts")
