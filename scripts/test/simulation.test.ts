/** Seeded histories of the whole engine: `npm run simulate` runs as many as one likes, and replays each. */
import type { Stores } from "@tolem/core/engine/Engine"
import { FeedStore } from "@tolem/core/feed/FeedStore"
import { ReactionStore } from "@tolem/core/feed/ReactionStore"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import type { Gathered } from "@tolem/core/notice/Gathered"
import { NoticeStore } from "@tolem/core/notice/NoticeStore"
import type { Job } from "@tolem/core/webhook/Webhook"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { OpenTransaction } from "@tolem/core/work/OpenTransaction"
import { run } from "@tolem/testing-simulation/History"
import type { MakeParts } from "@tolem/testing-simulation/Parts"
import { parts } from "@tolem/testing-simulation/SqliteParts"
import { type Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, inject, it } from "vitest"

const seeds = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)

/** `npm run test:slow` plays more, and has more that is wrong. */
const histories = inject("isWhole") ? 200 : 3

/** A bank that takes no create once, and an amount that would have every call carried out twice. */
const forgetful = 42_091

/** A server that stands still while others see to what it has begun at the provider, and then goes on. */
const frozen = 180

/** Members that are told of ten things. */
const attentive = 13

/** The same parts, but for a port that is not as it should be. */
const planted =
  <Id extends Stores, Port extends object>(
    port: Context.Service<Id, Port>,
    alter: (store: Port, sql: SqlClient.SqlClient) => Partial<Port>
  ): MakeParts =>
  (simulation) => {
    const made = parts(simulation)
    // One of the stores, whichever it is.
    const altered: Layer.Layer<never, never, Stores | SqlClient.SqlClient> = Layer.effect(
      port,
      Effect.gen(function* () {
        const store = yield* port
        return { ...store, ...alter(store, yield* SqlClient.SqlClient) }
      })
    )
    return { ...made, stores: (machine) => Layer.provideMerge(altered, made.stores(machine)) }
  }

/** A feed that now and then has an event too little at the beginning of a page. */
const skipping = planted(FeedStore, (store) => ({
  read: (query) =>
    Effect.map(store.read(query), (part) =>
      part.entries.length > 2 && query.limit < 50 ? { ...part, entries: part.entries.slice(1) } : part
    )
}))

/** A handler's event is settled after its transaction and not in it, and later than the engine waits for it. */
const settlingLate = planted(ReactionStore, (store, sql) => ({
  settle: (job, handler) =>
    sql.withTransaction(Effect.provideService(handler(undefined), SqlClient.SqlClient, sql)).pipe(
      Effect.catchTag("SqlError", Effect.die),
      Effect.andThen(
        Effect.delay(
          store.settle(job, () => Effect.void),
          4000
        )
      )
    )
}))

/** What was written by now is committed by itself. */
const commitEarly = (sql: SqlClient.SqlClient) =>
  Effect.orDie(Effect.andThen(sql`COMMIT`.unprepared, sql`BEGIN IMMEDIATE`.unprepared))

/** An event is settled before its handler's transaction. */
const settlingEarly = planted(ReactionStore, (store, sql) => ({
  settle: (job, handler) => store.settle(job, (transaction) => Effect.andThen(commitEarly(sql), handler(transaction)))
}))

/** An event that is given up is in no log. */
const forgettingFailures = planted(ReactionStore, (store) => ({
  fail: (job, failure) =>
    failure.dueAt === null
      ? Effect.catchTag(Effect.asVoid(store.settle(job, () => Effect.void)), "ReactionFailed", Effect.die)
      : store.fail(job, failure)
}))

/** What is made in a transaction of the application is there also if that is undone. */
const creatingBeside = planted(OpenTransaction, (port, sql) => ({
  within: (given, effect) => Effect.tap(port.within(given, effect), () => commitEarly(sql))
}))

/** A message that may have gone is told again as if it were certain that it has not. */
const tellingAgain = planted(NoticeStore, (store) => {
  const handedOver = new Map<string, Gathered>()
  return {
    replace: (line, audit) => {
      const key = `${line.accountId} ${line.mode} ${line.channel}`
      if (line.status === "sending") handedOver.set(key, line.gathered)
      const gathered = line.gathered.doubt === null ? line.gathered : (handedOver.get(key) ?? line.gathered)
      return store.replace({ ...line, gathered }, audit)
    }
  }
})

/** What may have been told is not counted. */
const forgettingDoubts = planted(NoticeStore, (store) => ({
  replace: (line, audit) => store.replace({ ...line, gathered: { ...line.gathered, doubt: null } }, audit)
}))

/** Cashiers count as managers, and those who have to go stay. */
const confused = planted(DirectoryStore, (store) => ({
  members: (id) =>
    Effect.map(store.members(id), (members) =>
      members.map((member) => (member.role === "cashier" ? { ...member, role: "manager" as const } : member))
    ),
  removeMember: () => Effect.succeed(true)
}))

/**
 * Whether one of the histories breaks a promise in these words: of the first ones, if nothing else is said. It begins
 * with the one that did so last; what changes the histories may make it another one.
 */
const finds = (faulty: MakeParts, words: RegExp, last: number, among = seeds(1, 20)): boolean =>
  [last, ...among].some((seed) => violationsOf(faulty, seed).some((violation) => words.test(violation)))

const played = new Map<MakeParts, Map<number, ReadonlyArray<string>>>()

/** What a history breaks; one that was played is not played again for other words. */
const violationsOf = (faulty: MakeParts, seed: number): ReadonlyArray<string> => {
  const known = played.get(faulty) ?? new Map<number, ReadonlyArray<string>>()
  const violations = known.get(seed) ?? run({ seed, parts: faulty }).violations
  played.set(faulty, known.set(seed, violations))
  return violations
}

/** Histories in which an application takes part. */
const ofApplications = seeds(1, 10).map((count) => 4 * count)

/** Histories in which members are told of what happens. */
const ofMembers = seeds(1, 10).map((count) => 8 * count - 3)

const likeFirst = (jobs: ReadonlyArray<Job>) => jobs.map((job) => ({ ...job, starts: 1 }))

describe("the simulation", () => {
  it(`keeps every promise in ${histories + 3} histories of trouble`, { timeout: 900_000 }, () => {
    // In some of them servers are ended, and an application is told again of what it did not take at first.
    const outcomes = [...seeds(36, histories), forgetful, frozen, attentive].map((seed) => run({ seed, parts }))
    expect(outcomes.filter(({ violations }) => violations.length > 0)).toEqual([])
    // Much has happened: a simulation in which nobody pays keeps its promises, too.
    const sum = (of: (outcome: (typeof outcomes)[number]) => number) => outcomes.reduce((all, one) => all + of(one), 0)
    expect(sum(({ invoices }) => invoices)).toBeGreaterThan(7 * histories)
    expect(sum(({ payments }) => payments)).toBeGreaterThan(3 * histories)
    expect(sum(({ deliveries }) => deliveries)).toBeGreaterThan(7 * histories)
    expect(sum(({ ended }) => ended)).toBeGreaterThan(histories / 20)
    // An application orders in one of four, and only some of its orders get through the trouble.
    expect(sum(({ orders }) => orders)).toBeGreaterThan(histories / 4)
    expect(sum(({ resent }) => resent)).toBeGreaterThan(0)
    // Members are told in one of eight.
    expect(sum(({ told }) => told)).toBeGreaterThan(histories / 2)
  })

  it("replays a history exactly", () => {
    const replay = () => {
      const lines: Array<string> = []
      const outcome = run({ seed: 36, parts, tell: (line) => void lines.push(line) })
      return { outcome, lines }
    }
    expect(replay()).toEqual(replay())
  })

  it("finds it where starts of deliveries are not counted", { timeout: 240_000 }, () => {
    const forgetful = planted(WebhookStore, (store) => ({
      reclaim: (request) => Effect.map(store.reclaim(request), likeFirst)
    }))
    expect(finds(forgetful, /has ended 4 servers/, 3)).toBe(true)
  })

  it("finds it where deliveries are given up for what others have done", { timeout: 240_000 }, () => {
    const hasty = planted(WebhookStore, (store) => ({
      reclaim: (request) =>
        Effect.map(store.reclaim(request), (jobs) => jobs.map((job) => ({ ...job, starts: job.starts + 2 })))
    }))
    expect(finds(hasty, /was given up for what it has not done/, 3)).toBe(true)
  })

  it("finds a feed that leaves out what its readers then never see", () => {
    expect(finds(skipping, /who followed it has seen it differently/, 6)).toBe(true)
  })

  it.each([
    [
      "an event that is settled after its handler's transaction",
      settlingLate,
      /was heard twice|was heard, and is kept/,
      12
    ],
    ["an invoice that outlives the application's transaction", creatingBeside, /was undone and is there/, 12]
  ])("finds %s", { timeout: 240_000 }, (_, faulty, words, last) => {
    expect(finds(faulty, words, last, ofApplications)).toBe(true)
  })

  it.runIf(inject("isWhole")).each([
    ["an event that is settled before its handler's transaction", settlingEarly, 8],
    ["an event that is given up and forgotten", forgettingFailures, 4]
  ])("finds %s", { timeout: 240_000 }, (_, faulty, last) => {
    expect(finds(faulty, /is neither done nor waiting/, last, ofApplications)).toBe(true)
  })

  it.each([
    ["a message that may have gone, and is told again", tellingAgain, /was told twice|was told \d+ times of/, 29],
    ["a cashier who is told what a manager is", confused, /which is not theirs to see/, 61],
    ["a member who is told after they had to go", confused, /ms after they were removed/, 61]
  ])("finds %s", { timeout: 240_000 }, (_, faulty, words, last) => {
    expect(finds(faulty, words, last, ofMembers)).toBe(true)
  })

  it.runIf(inject("isWhole"))("finds a message that may have gone, and is forgotten", { timeout: 240_000 }, () => {
    expect(finds(forgettingDoubts, /was told of .+ payments, and there are/, 29, ofMembers)).toBe(true)
  })
})
