/** Verbs of the feed and of reactions, called with fixed values. */
import { FeedStore } from "@tolem/core/feed/FeedStore"
import { ReactionStore } from "@tolem/core/feed/ReactionStore"
import { startAt } from "@tolem/testing/fixtures"
import { Effect } from "effect"

const shop = { organizationId: "org_shop", mode: "sandbox" as const }
const ofCashier = { ...shop, connectionId: "con_1" }

const fromBeginning = {
  ...shop,
  connectionId: null,
  start: { after: { position: 0, eventId: null } },
  types: [],
  limit: 5,
  lookAt: 100
} as const

const books = { name: "books", types: [], organizations: ["org_shop"] } as const
const reactionTerm = { consumers: ["books"], now: startAt + 9000, until: startAt + 9999, limit: 1, lease: "rct_1" }
const nothingToDo = () => Effect.void

/** Verbs of reactions. */
export const reactions = Effect.map(ReactionStore, (store) => ({
  "register a consumer": store.register(books, startAt - 1000),
  arriving: store.arriving("", 10),
  "place what is announced": FeedStore.use((feed) => feed.place("org_shop", 100)),
  "claim a reaction": Effect.flatMap(store.claim(reactionTerm), ([job]) =>
    Effect.andThen(store.fail(job!, { error: "x", dueAt: null, now: startAt }), store.release([job!], startAt))
  ),
  "failures of reactions": store.failures("books", { limit: 5, offset: 0 }),
  "settle a reaction": Effect.flatMap(store.claim({ ...reactionTerm, lease: "rct_2" }), ([job]) =>
    store.settle(job!, nothingToDo)
  ),
  "resend a reaction": store.resend("rct_nothing", startAt),
  "remove a consumer": store.remove("books")
}))

/** Verbs of the feed. */
export const feeds = Effect.map(FeedStore, (store) => ({
  "place events": store.place("org_shop", 100),
  "read the feed": store.read(fromBeginning),
  "read the feed behind a cursor, of types": store.read({
    ...fromBeginning,
    start: { after: { position: 1, eventId: "evt_paid" } },
    types: ["invoice.paid", "invoice.refunded"]
  }),
  "read the feed since an instant, of a cashier": store.read({
    ...fromBeginning,
    ...ofCashier,
    start: { since: startAt }
  }),
  "arrived of the feed": store.arrived(["org_shop", "org_other"]),
  "ready of the feed": store.ready([{ ...shop, ...ofCashier, types: ["invoice.paid"], position: 0 }])
}))
