/** Letters about invoices of a service, as its agents would leave them. */
import type { MailKind } from "@tolem/core/mail/Mail"
import { HandOver, type Mailer } from "@tolem/core/mail/Mailer"
import { MailStore } from "@tolem/core/mail/MailStore"
import { Effect } from "effect"
import { call } from "./calls.ts"
import type { Service } from "./service.ts"

/** Takes letters, which nothing hands over without agents. Without a mailer none are written. */
export const mailer: Mailer["Service"] = { send: () => Effect.succeed(HandOver.Taken()) }

/**
 * A letter about an invoice that does not wait for a payment any more: where the cabinet finds it, and what settles it
 * as one that was sent long ago.
 */
export const letterOf = async (service: Service, organizationId: string, kind: MailKind) => {
  const key = await service.key({ organizationId })
  const body = { amount: 70, customer: { email: "dana@mail.example.kz" } }
  const { body: subscription } = await call(service, "POST", "/api/v1/subscriptions", { key, body })
  const { body: invoice } = await call(service, "POST", `/api/v1/subscriptions/${subscription["id"]}/run`, { key })
  const invoiceId = String(invoice["id"])
  const status = kind === "receipt" ? "paid" : "failed"
  await call(service, "POST", `/api/v1/invoices/${invoiceId}/simulate`, { key, body: { status } })
  const mails = await service.run(MailStore)
  const find = async () => {
    const letters = await service.run(mails.list(organizationId, invoiceId))
    return letters.find((each) => each.kind === kind)!
  }
  return {
    path: `/panel/orgs/${organizationId}/invoices/${invoiceId}/letters/${(await find()).id}`,
    settle: async () => service.run(mails.settle({ ...(await find()), status: "sent", dueAt: null, completedAt: 5 }))
  }
}
