/** Looks for endpoints that something is due at: when to look, and what is claimed for those that are found. */
import { Duration, Effect, Queue, Random, Semaphore } from "effect"
import type { Tenant } from "../../value/Tenant.ts"
import type { Job } from "../Webhook.ts"
import type { WebhookLimits } from "../WebhookSettings.ts"
import type { DeliveryClaim, DueEndpoint, WebhookStore } from "../WebhookStore.ts"
import { makeLag } from "./DispatchReports.ts"
import type * as Lanes from "./Lanes.ts"
import type { ClaimedJob } from "./Lanes.ts"

/** Jobs that a claim brings for each place there is: the others wait for their endpoint's next one. */
const jobsPerPlace = 2

/** Of one endpoint. */
const maxJobs = 64

/** Places that come free are filled together, so many milliseconds after the first of them. */
const gatherMs = 10

/** The same for places of endpoints that are not known to be sound: what fails is not urgent, and looks cost much. */
const gatherUnsoundMs = 100

/** How many of either are filled one by one, once it is told that something new is due: it may be a newcomer's. */
const eagerLooks = 4

/** Endpoints of a kind that are remembered because there was no place: those that have least come first. */
const maxLeftOut = 16

/** When to look for what is due. */
export const times = Effect.fnUntraced(function* ({ pollMs }: WebhookLimits) {
  const wakes = yield* Queue.sliding<void>(1)
  const places = yield* Queue.sliding<void>(1)
  const unsoundPlaces = yield* Queue.sliding<void>(1)
  let eager = 0
  return {
    /** Something new is due. */
    told: Effect.suspend(() => {
      eager = eagerLooks
      return Queue.offer(wakes, undefined)
    }),
    /** A place is free that was of an endpoint which is sound or was when it got it, or of another one. */
    freed: (isSound: boolean) => Queue.offer(isSound ? places : unsoundPlaces, undefined),
    /** Returns when it is time for the next look. */
    next: Effect.gen(function* () {
      // Jitter keeps several servers from asking in step.
      const share = yield* Random.nextBetween(0.8, 1)
      const gather = (ms: number) => Effect.suspend(() => (eager > 0 ? Effect.sync(() => eager--) : Effect.sleep(ms)))
      const woken = Effect.raceAllFirst([
        Queue.take(wakes),
        Effect.andThen(Queue.take(places), gather(gatherMs)),
        Effect.andThen(Queue.take(unsoundPlaces), gather(gatherUnsoundMs))
      ])
      yield* Effect.timeoutOption(woken, Duration.millis(Math.round(pollMs * share)))
    })
  }
})

/** What a dispatcher claims with. */
interface Claiming {
  readonly store: WebhookStore["Service"]
  readonly policy: WebhookLimits
  readonly lanes: Pick<ReturnType<typeof Lanes.make>, "choose" | "claimed" | "hasPlaceFor" | "isSound">
  /** Gives back what was claimed, due at an instant. */
  readonly release: (claimed: ReadonlyArray<ClaimedJob>, dueAt: number) => Effect.Effect<void>
  /** Takes in jobs whose claim holds until an instant. */
  readonly admit: (jobs: ReadonlyArray<Job>, until: number) => Effect.Effect<void>
  /** A claim that begins now. */
  readonly term: () => Effect.Effect<DeliveryClaim>
  readonly isStopping: () => boolean
}

/** Claims of a dispatcher: for all endpoints, a page of them at a time, and for those of tenants that are named. */
export const claims = ({ store, policy, lanes, release, admit, term, isStopping }: Claiming) => {
  const showLag = makeLag()
  /** The endpoint that the last look has ended with. */
  let after: string | null = null
  /** Looks that the last walk through all endpoints has taken. */
  let pages = 1
  /** Looks that this walk has taken so far. */
  let page = 0
  /** Some of the endpoints of this walk for which there was no place. */
  const leftOut: Array<Lanes.OwnedEndpoint> = []

  /** A look at all endpoints is under way, or a claim of what it has found. */
  let isLooking = false

  const naming = Semaphore.makeUnsafe(1)

  const leaveOut = (endpoint: Lanes.OwnedEndpoint) => {
    const isLike = ({ id, mode }: Lanes.OwnedEndpoint) =>
      mode === endpoint.mode && lanes.isSound(id) === lanes.isSound(endpoint.id)
    const alike = leftOut.filter(isLike)
    if (alike.length < maxLeftOut && !alike.some(({ id }) => id === endpoint.id)) leftOut.push(endpoint)
  }

  /** Endpoints that a claim is under way for: another one would bring as much again. */
  const claiming = new Set<string>()

  /** Claims for those of the endpoints that may begin something. Answers whether none is claimed for already. */
  const claimFor = Effect.fnUntraced(function* (all: ReadonlyArray<DueEndpoint>, request: DeliveryClaim) {
    const due = all.filter(({ id }) => !claiming.has(id))
    const choice = lanes.choose(due, request.now)
    const both = [...choice.roomy, ...choice.pressed]
    for (const id of both) claiming.add(id)
    const claimed = Effect.sync(() => {
      for (const id of both) claiming.delete(id)
    })
    yield* Effect.ensuring(claimChosen(choice, request), claimed)
    return due.length === all.length
  })

  const claimChosen = Effect.fnUntraced(function* (choice: Lanes.Choice, request: DeliveryClaim) {
    const { roomy, pressed, dropped } = choice
    for (const endpoint of choice.leftOut) leaveOut(endpoint)
    for (const { job } of dropped) leaveOut(job.endpoint)
    yield* release(dropped, request.now)
    const ahead = Math.min(maxJobs, Math.ceil((jobsPerPlace * policy.concurrency) / roomy.length))
    // Those that have room begin before others are claimed.
    for (const [endpoints, each] of [
      [roomy, ahead],
      [pressed, 1]
    ] as const) {
      if (endpoints.length === 0) continue
      const jobs = yield* store.claim({ ...request, endpoints, each })
      yield* admit(jobs, request.until)
      const found = Map.groupBy(jobs, ({ endpoint }): string => endpoint.id)
      for (const id of endpoints) lanes.claimed(id, found.get(id)?.length ?? 0, each)
    }
  })

  const look = Effect.gen(function* () {
    const request = yield* term()
    const begins = after === null
    // Before it is asked what is due: those that a look by name leaves out meanwhile may have fallen due since.
    if (begins) leftOut.length = 0
    const looked = yield* store.due({ now: request.now, after, limit: policy.endpointsPerLook })
    after = looked.next
    page++
    if (after === null) [pages, page] = [page, 0]
    yield* showLag(looked, request.now)
    yield* claimFor(looked.endpoints, request)
    return looked.next !== null
  })

  const lookEnded = Effect.sync(() => {
    isLooking = false
  })
  const next = Effect.suspend(() => {
    isLooking = true
    return Effect.ensuring(look, lookEnded)
  })

  /** Whether a walk through all endpoints takes several looks. */
  const isLong = () => pages > 1 || after !== null

  const named = Effect.fnUntraced(function* (tenants: ReadonlyArray<Tenant>, lookLater: Effect.Effect<unknown>) {
    if (isStopping()) return
    const request = yield* term()
    const isAll = yield* claimFor(yield* store.dueOf(tenants, request.now), request)
    if (!isAll) yield* lookLater
  }, naming.withPermit)

  return {
    /** Looks at endpoints once, and claims for them. Answers whether there are more. */
    next,
    isLong,
    /** Whether a look at all endpoints would come late to those that are named: another one comes first. */
    isBusy: () => isLooking || isLong(),
    /** Looks at the endpoints of tenants that are named. Those that are claimed for already are looked at later. */
    named,
    /** Returns once no such look is under way. */
    namedEnded: naming.withPermit(Effect.void),
    /** Whether there is a place now for something that is due, and was left out. */
    isPlaceFree: () => leftOut.some(lanes.hasPlaceFor)
  }
}
