/** What a customer pays a sandbox invoice with. No provider is asked: its calls are in `PaymentProvider`. */
import { Context } from "effect"

/** What a customer pays with: the content of a QR code, and a link that opens the provider's app. */
export interface Links {
  readonly qrUrl: string
  readonly deepLink: string
}

/**
 * Makes the links of a sandbox invoice; `payUrl` is its hosted page. Unless another one is provided, QR codes lead to
 * that page, and app links have a scheme of their own.
 */
export const SandboxLinks = Context.Reference<(invoice: { readonly id: string; readonly payUrl: string }) => Links>(
  "@tolem/core/SandboxLinks",
  {
    defaultValue:
      () =>
      ({ id, payUrl }) => ({ qrUrl: payUrl, deepLink: `tolem-sandbox://pay/${id}` })
  }
)
