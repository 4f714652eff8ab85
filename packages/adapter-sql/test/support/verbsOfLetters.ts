/** Verbs of letters, and of what is forgotten, called with fixed values. */
import { SandboxStore } from "@tolem/core/engine/SandboxStore"
import type { Mail } from "@tolem/core/mail/Mail"
import { MailStore } from "@tolem/core/mail/MailStore"
import { startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect } from "effect"

const among = { tenants: [{ organizationId: "org_shop", mode: "sandbox" as const }], each: 5 }

export const mailsOf = (mail: Mail) =>
  Effect.map(MailStore, (store) => ({
    "claim of letters of a tenant": store.claim(startAt - 1, startAt, 10, among),
    "waiting for letters": store.waiting(startAt, ""),
    "claim of letters": store.claim(startAt, startAt + 5, 10),
    "begin a letter": store.begin({ ...mail, dueAt: startAt + 5 }, startAt, 10),
    "settle a letter": store.settle({ ...mail, status: "sent", dueAt: null, completedAt: startAt + 1 }),
    "list letters": store.list("org_shop", "inv_9"),
    "send a letter again": store.sendAgain(
      { ...mail, status: "sent" },
      { ...mail, resent: 1, dueAt: startAt + 7 },
      auditOf()
    ),
    "forget letters": store.forget(startAt + 9e9, 200)
  }))

const forgetting = { organizationId: "org_shop", before: startAt + 9e9, limit: 5 }
export const sandboxes = Effect.map(SandboxStore, (store) => ({
  "organizations, of sandboxes": store.organizations("", 10),
  "forget invoices": store.forgetInvoices({ ...forgetting, after: null }),
  "forget subscriptions": store.forgetSubscriptions(forgetting),
  "forget traces": store.forgetTraces(forgetting)
}))
