/** Another invoice of a run at the wish of its customer, who had lost the one before. */
import { Clock, Effect, Option, Result } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { Invoice, Source } from "../invoice/Invoice.ts"
import type { InvoiceStore } from "../invoice/InvoiceStore.ts"
import type { Origin } from "../invoice/Origin.ts"
import * as Succession from "../invoice/succession/Succession.ts"
import type { OverQuota } from "../tariff/Tariff.ts"
import { decideRun, RunCommand } from "./Run.ts"
import * as RunDecisions from "./RunDecisions.ts"
import type * as RunMeans from "./RunMeans.ts"
import type { SubscriptionChange, SubscriptionContext } from "./Subscription.ts"
import type { SubscriptionSettings } from "./SubscriptionSettings.ts"
import type { CommitRefusal, CommitResult, SubscriptionStore } from "./SubscriptionStore.ts"

/** See `SubscriptionRuns.renew`. */
export type Renew = (
  lost: Invoice,
  origin: Extract<Origin, { readonly kind: "subscription" }>
) => Effect.Effect<Invoice, RunMeans.NoMeans | OverQuota | StorageError>

/** What it works with. */
interface Parts {
  readonly store: SubscriptionStore["Service"]
  readonly invoices: InvoiceStore["Service"]
  readonly billing: Effect.Success<typeof RunMeans.make>
  readonly circumstances: (source: Source) => Effect.Effect<SubscriptionContext>
  readonly commit: (change: SubscriptionChange) => Effect.Effect<CommitResult, CommitRefusal | StorageError>
  readonly settings: SubscriptionSettings
}

/** How often it is tried anew where others change the subscription at the same time. */
const maxRivals = 5

/** The verb. It is written with the version of the subscription, so that of many at once one makes the invoice. */
export const make = ({ store, invoices, billing, circumstances, commit, settings }: Parts): Renew => {
  const attempt = Effect.fnUntraced(function* (...[lost, { id, run: number }]: Parameters<Renew>) {
    const found = Option.getOrUndefined(yield* store.detail(id))
    const run = found?.runs.find((one) => one.run === number)
    if (found === undefined || run === undefined) return lost
    const all = (yield* invoices.details(run.invoiceIds)).flatMap((one) =>
      Option.isSome(one) ? [one.value.invoice] : []
    )
    const newest = all.at(-1) ?? lost
    const paid = all.find(({ paidAt }) => paidAt !== null)
    const isAnother = Succession.isSucceedable(newest, yield* Clock.currentTimeMillis)
    if (paid !== undefined || !isAnother || run.invoiceIds.length > settings.maxSuccessors) return paid ?? newest
    const { subscription } = found
    const place = { run: number, attempt: run.invoiceIds.length }
    // The subscription may make pushes by now, and this customer has a page.
    const billed = { ...subscription, kind: newest.kind }
    const made = yield* billing.invoiceOf(billed, place, yield* billing.meansOf(subscription), "system")
    const { amount, description, customer, metadata, validUntil } = newest
    const same = { amount, description, customer, metadata, validUntil, dueAt: validUntil }
    // A stranger may ask for it: like those of links it comes into the quota with its code.
    const counted = newest.mode === "live" ? { countedOn: null } : {}
    const quota = newest.mode === "live" ? null : made.creation.quota
    const invoice = { ...made.creation.invoice, ...same, ...counted }
    const given = yield* circumstances("system")
    const command = RunCommand.Renew({ invoiceId: invoice.id })
    const decided = decideRun(run, command, { now: given.now, subscription, settings })
    if (Result.isFailure(decided)) return newest
    const creation = { ...made.creation, invoice, quota }
    const change = RunDecisions.reissued(subscription, decided.success, { creation, mail: null }, given)
    return (yield* commit(change)).invoice ?? invoice
  })
  return (lost, origin) =>
    attempt(lost, origin).pipe(
      Effect.retry({ times: maxRivals, while: ({ _tag }) => _tag === "SubscriptionChanged" }),
      Effect.catchTag("SubscriptionChanged", () => Effect.succeed(lost))
    )
}
