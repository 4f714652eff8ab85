/** What a last reader reads through. */
import { MovementStore } from "@tolem/core/cabinet/statement/MovementStore"
import { Engine } from "@tolem/core/engine/Engine"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { NoticeStore } from "@tolem/core/notice/NoticeStore"
import { SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect } from "effect"

/** The engine and the stores. */
export const stored = Effect.all({
  engine: Engine,
  invoices: InvoiceStore,
  webhooks: WebhookStore,
  subscriptions: SubscriptionStore,
  movements: MovementStore,
  notices: NoticeStore
})

/** Those. */
export type Stored = Effect.Success<typeof stored>
