/** What a customer pays a sandbox invoice with. No provider is asked: its calls are in `PaymentProvider`. */
import { Context } from "effect"

/** What a customer pays with: the content of a QR code, and a link that opens the provider's app. */
export interface Links {
  readonly qrUrl: string
  readonly deepLink: string
}

/**
 * Makes the links of a sandbox invoice; `payUrl` is its hosted page. Unless another one is provided, codes and links
 * lead to the test bank that stands beside that page, so that a real phone can scan and pay.
 */
export const SandboxLinks = Context.Reference<(invoice: { readonly id: string; readonly payUrl: string }) => Links>(
  "@tolem/core/SandboxLinks",
  {
    defaultValue:
      () =>
      ({ payUrl }) => ({ qrUrl: `${payUrl}/bank`, deepLink: `${payUrl}/bank` })
  }
)
