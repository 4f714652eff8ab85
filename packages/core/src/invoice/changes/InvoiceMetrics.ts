/** What operators see of invoices: how many come to each status. */
import { Effect, Metric } from "effect"
import { family } from "../../measure/Series.ts"
import type { Invoice } from "../Invoice.ts"
import type { Write } from "../InvoiceStore.ts"

const invoices = family(["status", "kind", "mode"], (attributes) =>
  Metric.counter("tolem_invoices_total", {
    description: "Invoices that came to a status, by kind (qr or phone) and mode (live or sandbox)",
    incremental: true,
    attributes
  })
)

/** Counts invoices that have just been written for the first time. */
export const countNew = (written: ReadonlyArray<Invoice>): Effect.Effect<void> => countAll(written)

/** Counts changes that have just been written, those that changed the status; a second part of a refund is one too. */
export const countChanges = (writes: ReadonlyArray<Pick<Write, "previous" | "next">>): Effect.Effect<void> =>
  countAll(
    writes
      .filter(({ previous, next }) => previous.status !== next.status || previous.refunded !== next.refunded)
      .map(({ next }) => next)
  )

const countAll = (reached: ReadonlyArray<Invoice>) =>
  Effect.withFiber((fiber) => {
    for (const { status, kind, mode } of reached) {
      invoices({ status, kind, mode }).updateUnsafe(1, fiber.context)
    }
    return Effect.void
  })
