/** The contract of `/events`: the feed of everything that has happened to invoices. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { accessCodes, errors } from "./Errors.ts"
import * as Wire from "./FeedEvent.ts"
import * as Requests from "./Requests.ts"
import { does } from "./Security.ts"

const list = HttpApiEndpoint.get("list", "/events", {
  query: Requests.EventsQuery,
  success: Wire.FeedPage,
  error: errors(...accessCodes, "invalid_after", "invalid_types", "invalid_limit", "invalid_wait", "too_many_waiting")
})
  .annotateMerge(does("Read events in the order in which they were committed, and wait for new ones", "invoices:read"))
  .annotate(
    OpenApi.Description,
    "Every event of the key's organization and mode once, in the order of commits; for a key bound to a cashier, " +
      "those of its invoices. Keep `cursor` and send it as the next `after`: nothing that is committed later comes " +
      "before it, and it holds for ever. A page may be empty and yet have `more`. With `wait` the answer comes with " +
      "the first event, or without one when that time is over. In the sandbox, events go with the invoices that it " +
      "forgets."
  )

/** The feed of events. */
export const events = HttpApiGroup.make("events")
  .annotate(
    OpenApi.Description,
    "Everything that happened to invoices, in order: to catch up, and in place of webhooks."
  )
  .add(list)
