/** The bank's own receipts, for customers: a small page each, in which nothing can run. */
import type { ProviderReceipt } from "@tolem/core/provider/Payment"
import { toIso } from "@tolem/core/value/Calendar"
import { type Html, html } from "@tolem/core/value/Html"
import { money } from "@tolem/core/value/MoneyText"
import { Clock, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { parameter, refusal, route } from "./Responses.ts"
import type { SandboxBank } from "./SandboxBank.ts"

/** `GET /receipts/:reference`: the receipt of a payment that was made; 404 for any other. */
export const make = (bank: SandboxBank) =>
  route("GET", "/receipts/:reference", () =>
    Effect.gen(function* () {
      const life = bank.control.payment(yield* parameter("reference"), yield* Clock.currentTimeMillis)
      return life?.signal._tag === "Paid" ? answer(pageOf(life.signal.receipt)) : refusal(404, "not_found")
    })
  )

const pageOf = ({ number, amount, at }: ProviderReceipt): Html => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Receipt ${number}</title></head>
<body>
<h1>Receipt ${number}</h1>
<p>${money(amount)}</p>
<p><time datetime="${toIso(at)}">${toIso(at)}</time></p>
<p>The provider sandbox has made this receipt. No money has moved.</p>
</body>
</html>
`

const answer = (page: Html) =>
  HttpServerResponse.text(String(page), {
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store"
    }
  })
