/** Tariffs for applications that do not use Effect: what an organization has, and how it gets more. */
import { Effect } from "effect"
import type { TariffSales } from "../billing/TariffSales.ts"
import type { Settings } from "../engine/Settings.ts"
import type { Code } from "../error/ErrorCatalog.ts"
import { invoiceObject } from "../invoice/InvoiceJson.ts"
import { accountJson } from "../partner/AccountJson.ts"
import type { Grant, TariffStanding, Tariffs } from "../tariff/Tariffs.ts"

type Run = <A>(effect: Effect.Effect<A, { readonly code: Code }>) => Promise<A>

interface Uses {
  readonly tariffs: Tariffs["Service"]
  readonly tariffSales: TariffSales["Service"]
  readonly settings: Settings
}

/** The use-cases as promises. */
export const tariffsOf = ({ tariffs, tariffSales, settings }: Uses, run: Run) => {
  const shown = (effect: Effect.Effect<TariffStanding, { readonly code: Code }>) =>
    run(Effect.map(effect, (standing) => accountJson(standing, "live", []).tariff))
  return {
    /** An organization's tariff and what was used of it. */
    show: (organizationId: string) => shown(tariffs.standing(organizationId)),
    /** Free of charge, by the operator: for so many months, or (null) without end. */
    grant: (grant: Grant) => shown(tariffs.grant(grant)),
    /** Orders a month; it starts when the invoice, one of the operator's own organization, is paid. */
    buy: (organizationId: string, tariff: string) =>
      run(
        Effect.map(tariffSales.buy(organizationId, tariff), ({ order, invoice }) => ({
          orderId: order.id,
          invoice: invoiceObject(invoice, settings)
        }))
      )
  }
}
