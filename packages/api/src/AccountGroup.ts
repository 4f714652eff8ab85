/** The contract of `/account`. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Account } from "./Account.ts"
import { accessCodes, errors } from "./Errors.ts"

/** What the key's organization is and may still do. Any key may ask. */
export const account = HttpApiGroup.make("account")
  .annotate(OpenApi.Description, "What the key's organization is and may still do.")
  .add(
    HttpApiEndpoint.get("get", "/account", { success: Account, error: errors(...accessCodes) })
      .annotate(OpenApi.Summary, "Read the organization of the key: mode, tariff with usage, cashiers")
      .annotate(OpenApi.Description, "`mode` is the key's.")
  )
