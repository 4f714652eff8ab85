/** Port: what the provider lends to the sandbox mode, which never calls it. Its calls are in `PaymentProvider`. */
import { Context } from "effect"

/** What a customer pays with: the content of a QR code, and a link that opens the provider's app. */
export interface Links {
  readonly qrUrl: string
  readonly deepLink: string
}

/** See the file's head. */
export class SandboxLinks extends Context.Service<
  SandboxLinks,
  {
    /** For people, in logs and pages. */
    readonly name: string
    /** The links of a sandbox invoice, made without asking anybody. `payUrl` is its hosted page. */
    readonly sandboxLinks: (invoice: { readonly id: string; readonly payUrl: string }) => Links
  }
>()("@tolem/core/SandboxLinks") {}
