/** What can happen to each column of the feed. */
import type { Damages } from "./damage.ts"
import { own } from "./reasons.ts"

const second = "organization_id = 'org_shop' and mode = 'live' and position = 2"
const waiting = "id = (select min(id) from tolem_feed_arrivals)"
const follow = "places_follow_events"
const noted = "events_are_in_the_feed"
const sound = "reactions_are_sound"
const first = "id = (select min(id) from tolem_reactions)"
const ends = "feeds_end_at_their_heads"

export const damagesOfFeed: Damages = {
  feed: {
    organization_id: [["'org_client'", second, follow]],
    mode: [["'sandbox'", "mode = 'live' and position = (select max(position) from tolem_feed)", follow]],
    position: [
      ["0", second, follow],
      ["1000", second, ends]
    ],
    event_id: [["'evt_x'", second, follow]],
    type: [["'invoice.expired'", second, follow]],
    invoice_id: [["'inv_x'", second, noted]],
    sequence: [["99", second, noted]],
    reached_at: [
      ["reached_at + 1", second, follow],
      ["0", second, follow]
    ]
  },
  feed_heads: {
    organization_id: [["'org_client'", "organization_id = 'org_shop'", ends]],
    mode: [["'x'", "organization_id = 'org_shop' and mode = 'live'", ends]],
    position: [["position - 1", "organization_id = 'org_shop' and mode = 'live'", ends]],
    reached_at: [["reached_at + 1", "organization_id = 'org_shop' and mode = 'live'", ends]]
  },
  feed_arrivals: {
    organization_id: [["'org_nobody'", waiting, noted]],
    id: "the order of what waits for its place: none was seen yet, and of an invoice each has its sequence",
    invoice_id: [["'inv_x'", waiting, noted]],
    sequence: [["99", waiting, noted]]
  },
  consumers: {
    name: [["'others'", "name = 'books'", sound]],
    types: own,
    organizations: own,
    since: own
  },
  reactions: {
    id: [["'rct_x'", first, sound]],
    consumer: [["'nobody'", first, sound]],
    organization_id: [["'org_client'", first, sound]],
    mode: [["'x'", first, sound]],
    type: [["'invoice.new'", first, sound]],
    invoice_id: [["'inv_x'", first, sound]],
    sequence: [["99", first, sound]],
    event_id: [["'evt_x'", first, sound]],
    status: [["'x'", first, sound]],
    attempt_count: [["-1", first, sound]],
    due_at: [["9000000000000000", first, sound]],
    lease: [["'x'", first, sound]],
    error: [["'x'", first, sound]],
    failed_at: [["1", first, sound]]
  }
}
