/** The contract of the operators' console about what referrers earn and are paid. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { bodyCodes, consoleChangeCodes, consoleCodes, errors } from "./Errors.ts"
import { DateTime, money, text } from "./Members.ts"
import { consoleAccount } from "./PanelOperatorAccountsGroup.ts"
import { isFor, OperatorAdmission, SessionAuthentication } from "./PanelSecurity.ts"
import { anyText, IdParam } from "./Requests.ts"

const sums = {
  account: consoleAccount,
  accrued: money.annotate({ description: "Still to be paid" }),
  accruedCount: Schema.Int,
  paidOut: money
}

const ConsoleEarners = Schema.Struct({
  earners: Schema.Array(Schema.Struct(sums).annotate({ identifier: "ConsoleEarnerEntry" })),
  next: text.annotate({ description: "The `after` of the next page; null: there is none" })
}).annotate({ identifier: "ConsoleEarners" })

const upTo = Schema.String.annotate({ description: "The newest earning that is paid" })

const ConsoleEarner = Schema.Struct({
  ...sums,
  payable: Schema.NullOr(
    Schema.Struct({ amount: money, count: Schema.Int, upTo }).annotate({
      identifier: "ConsolePayable",
      description: "What one payout can pay: the oldest; null: there is nothing to be paid"
    })
  ),
  earnings: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      organization: Schema.Struct({ id: Schema.String, name: text }),
      amount: money,
      createdAt: DateTime
    }).annotate({ identifier: "ConsoleEarning" })
  ).annotate({ description: "Still to be paid, oldest first" }),
  payouts: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      amount: money,
      count: Schema.Int.annotate({ description: "Its earnings" }),
      note: Schema.String,
      paidAt: DateTime
    }).annotate({ identifier: "ConsolePayout" })
  ).annotate({ description: "Newest first" })
}).annotate({ identifier: "ConsoleEarner" })

const NewPayout = Schema.Struct({
  amount: money.annotate({ description: "The sum of the earnings that are paid, as it was read" }),
  upTo,
  note: Schema.String.annotate({ description: "How it was paid, from 1 to 300 characters" })
}).annotate({ identifier: "ConsoleNewPayout" })

/** Earnings and payouts, for those who run the platform. */
export const operatorEarnings = HttpApiGroup.make("operatorEarnings")
  .add(
    HttpApiEndpoint.get("list", "/operator/earnings", {
      query: { after: anyText },
      success: ConsoleEarners,
      error: errors(...consoleCodes, "invalid_after")
    }).annotateMerge(isFor("earnings:read", "List those who have still to be paid something, with their sums")),
    HttpApiEndpoint.get("get", "/operator/earnings/:id", {
      params: IdParam,
      success: ConsoleEarner,
      error: errors(...consoleCodes, "account_not_found")
    }).annotateMerge(isFor("earnings:read", "Read what a person has earned, what they were paid, and what is left")),
    HttpApiEndpoint.post("pay", "/operator/earnings/:id/payouts", {
      params: IdParam,
      payload: NewPayout,
      success: ConsoleEarner,
      error: errors(
        ...consoleChangeCodes,
        ...bodyCodes,
        "account_not_found",
        "earnings_changed",
        "invalid_amount",
        "invalid_payout_note"
      )
    }).annotateMerge(isFor("earnings:pay", "Note that a person was paid; once, however often it is asked"))
  )
  .middleware(OperatorAdmission)
  .middleware(SessionAuthentication)
