import { describe, it } from "@effect/vitest"
import { assert } from "vitest"
import { defaults } from "../../../src/engine/Settings.ts"
import type { ClaimedJob } from "../../../src/webhook/sending/Lanes.ts"
import * as Lanes from "../../../src/webhook/sending/Lanes.ts"
import { delivery, endpoint, job } from "./given.ts"

const policy = defaults.webhook
const limits = {
  total: policy.concurrency,
  ofSandbox: policy.concurrencyOfSandbox,
  freePerPlace: policy.freePerPlace,
  soundShare: policy.soundShare,
  perEndpoint: policy.concurrencyPerEndpoint
}

let made = 0
/** A claimed job of an endpoint that is its organization's only one. */
const claimed = (organizationId: string): ClaimedJob => {
  const id = `whe_${organizationId}`
  const own = { endpointId: id, organizationId }
  return {
    job: job({ endpoint: endpoint({ id, organizationId }), delivery: delivery({ ...own, id: `dlv_${++made}` }) }),
    until: 1e9
  }
}

describe("lanes", () => {
  it("let one of a party whose receiver works begin at the head of many whose receivers do not", () => {
    const lanes = Lanes.make(limits)
    const attempt = (each: ClaimedJob, delivered: boolean) => {
      assert.lengthOf(lanes.enter([each]), 1)
      lanes.judge(each.job, delivered, 1_000, policy)
      lanes.leave(each.job)
    }
    const dead = Array.from({ length: 20 }, (_, n) => `org_dead${n}`)
    for (const organization of dead) attempt(claimed(organization), false)
    // It was served after all of them.
    attempt(claimed("org_sound"), true)
    const waiting = [...dead.map(claimed), claimed("org_sound")]
    assert.lengthOf(lanes.enter(waiting), waiting.length)
    const owners = (jobs: ReadonlyArray<ClaimedJob>) => jobs.map(({ job: { endpoint } }) => endpoint.organizationId)
    assert.deepStrictEqual(owners(lanes.first(waiting, 2, true)), ["org_sound", "org_dead0"], "and another in its turn")
    assert.deepStrictEqual(owners(lanes.first(waiting.slice(0, -1), 2, true)), ["org_dead0", "org_dead1"], "without it")
    lanes.judge(waiting[0]!.job, true, 2_000, policy)
    assert.deepStrictEqual(owners(lanes.first(waiting.slice(0, 3), 2, true)), ["org_dead0", "org_dead1"], "works again")
  })

  it("say whether more may be due at an endpoint, and whether there is a place for one that was left out", () => {
    const lanes = Lanes.make({ ...limits, total: 2, ofSandbox: 2, freePerPlace: 0, soundShare: 0 })
    const [first, second, third, other] = ["a", "a", "a", "b"].map(claimed) as [
      ClaimedJob,
      ClaimedJob,
      ClaimedJob,
      ClaimedJob
    ]
    const dueAt = ({ job: { endpoint } }: ClaimedJob) => ({ ...endpoint, mode: "sandbox" as const, dueAt: 1 })
    const leftOut = (...due: ReadonlyArray<ClaimedJob>) => lanes.choose(due.map(dueAt), 1_000).leftOut
    assert.isEmpty(leftOut(first, other), "there are two places")
    assert.isTrue(lanes.isLow(first.job.endpoint.id))
    assert.deepStrictEqual(lanes.enter([first, second, third]), [first, second])
    assert.isFalse(lanes.isLow(first.job.endpoint.id), "the third waits")
    assert.isEmpty(leftOut(first), "it waits for its own endpoint")
    const [party] = leftOut(other)
    assert.strictEqual(party?.organizationId, "b")
    assert.isFalse(lanes.hasPlaceFor(party!))
    assert.isTrue(lanes.isLow(first.job.endpoint.id), "what waited gives way")
    lanes.leave(first.job)
    assert.isTrue(lanes.hasPlaceFor(party!))
  })

  it("let what is sound have its claims and its places, while nothing is left for all the others", () => {
    const lanes = Lanes.make({ ...limits, total: 8, ofSandbox: 8, freePerPlace: 0 })
    const dueAt = ({ job: { endpoint } }: ClaimedJob) => ({ ...endpoint, mode: "sandbox" as const, dueAt: 1 })
    const first = claimed("sound")
    lanes.enter([first])
    lanes.judge(first.job, true, 1_000, policy)
    lanes.leave(first.job)
    const hanging = Array.from({ length: 8 }, (_, n) => claimed(`org_slow${n}`))
    assert.lengthOf(lanes.enter(hanging.slice(0, 6)), 6)
    const [next, waits] = [claimed("sound"), claimed("sound")]
    const chosen = lanes.choose([...hanging.slice(6), next].map(dueAt), 1_000)
    assert.deepStrictEqual(chosen.roomy, [next.job.endpoint.id])
    assert.lengthOf(chosen.leftOut, 2)
    assert.lengthOf(lanes.enter([next, claimed("sound"), waits]), 2)
    const again = lanes.choose([claimed("org_new")].map(dueAt), 1_000)
    assert.lengthOf(again.leftOut, 1)
    assert.deepStrictEqual(again.dropped, [waits], "once there is no place at all, what waits gives way")
  })

  it("have more claimed of a sound endpoint once half is left of a claim that was as large as it might be", () => {
    const lanes = Lanes.make({ ...limits, perEndpoint: 1 })
    const dueAt = ({ job: { endpoint } }: ClaimedJob) => ({ ...endpoint, mode: "sandbox" as const, dueAt: 1 })
    const [first, ...others] = Array.from({ length: 5 }, () => claimed("a")) as [ClaimedJob, ...Array<ClaimedJob>]
    const { id } = first.job.endpoint
    const roomy = () => lanes.choose([dueAt(first)], 1_000).roomy
    assert.deepStrictEqual(lanes.enter([first, ...others]), [first])
    lanes.claimed(id, 5, 5)
    assert.isEmpty(roomy(), "four wait")
    assert.isFalse(lanes.isLow(id))
    const send = (each: ClaimedJob, delivered: boolean) => {
      lanes.judge(each.job, delivered, 1_000, policy)
      lanes.leave(each.job)
    }
    send(first, true)
    assert.isEmpty(roomy(), "three wait")
    send(others[0]!, true)
    assert.isTrue(lanes.isLow(id))
    assert.deepStrictEqual(roomy(), [id], "two wait")
    lanes.claimed(id, 4, 5)
    assert.isEmpty(roomy(), "nothing else was due")
    lanes.claimed(id, 5, 5)
    send(others[1]!, false)
    assert.isEmpty(roomy(), "what fails is not urgent")
  })

  it("have a place free once its attempt has ended, until so much is not settled that the party has its share", () => {
    const lanes = Lanes.make({ ...limits, total: 2, ofSandbox: 2, freePerPlace: 0, soundShare: 0 })
    const jobs = Array.from({ length: 8 }, () => claimed("a"))
    const begun: Array<ClaimedJob> = [...lanes.enter(jobs)]
    assert.lengthOf(begun, 2)
    for (let ended = 0; ended < begun.length; ended++) begun.push(...lanes.ended(begun[ended]!.job))
    assert.lengthOf(begun, 5, "while two run, four are not settled at most but what ran by then")
    assert.strictEqual(lanes.running(), 0)
    assert.lengthOf(lanes.leave(jobs[0]!.job), 0, "as many as may be are not settled")
    assert.lengthOf(lanes.leave(jobs[1]!.job), 2, "one of them may have two more")
  })

  it("remember an endpoint whose party has its share of what is not settled, and let its others go on", () => {
    const lanes = Lanes.make({ ...limits, total: 2, ofSandbox: 2, freePerPlace: 0, soundShare: 0 })
    const jobs = Array.from({ length: 5 }, () => claimed("a"))
    const begun: Array<ClaimedJob> = [...lanes.enter(jobs)]
    for (let ended = 0; ended < begun.length; ended++) begun.push(...lanes.ended(begun[ended]!.job))
    const other = { ...jobs[0]!.job.endpoint, id: "whe_other" as const, mode: "sandbox" as const, dueAt: 1 }
    const { roomy, pressed, dropped, leftOut } = lanes.choose([other], 1_000)
    assert.deepStrictEqual([roomy, pressed, dropped], [[], [], []])
    assert.deepStrictEqual(leftOut, [other])
    assert.isFalse(lanes.hasPlaceFor(other))
    for (const each of begun) lanes.leave(each.job)
    assert.isTrue(lanes.hasPlaceFor(other))
  })

  it("take turns where places are few, while jobs of all of them wait", () => {
    const lanes = Lanes.make({ ...limits, total: 1, ofSandbox: 1, freePerPlace: 0, soundShare: 0 })
    const jobs = ["a", "a", "a", "b", "b", "b"].map(claimed)
    const begun = [...lanes.enter(jobs)]
    for (let ended = 0; ended < begun.length; ended++) begun.push(...lanes.leave(begun[ended]!.job))
    const owners = begun.map(({ job: { endpoint } }) => endpoint.organizationId)
    assert.deepStrictEqual(owners, ["a", "b", "a", "b", "a", "b"])
  })

  it("let one of each party begin in a turn", () => {
    const lanes = Lanes.make(limits)
    const waiting = ["a", "a", "b", "b", "c"].map(claimed)
    lanes.enter(waiting)
    const [a, , b, , c] = waiting as [ClaimedJob, ClaimedJob, ClaimedJob, ClaimedJob, ClaimedJob]
    assert.deepStrictEqual(lanes.first(waiting, 4, true), [a, b, c])
  })

  it("know whether an endpoint was sound when its job got its place", () => {
    const lanes = Lanes.make(limits)
    const [first, second, third] = [claimed("a"), claimed("a"), claimed("a")]
    lanes.enter([first])
    assert.isFalse(lanes.wasSound(first.job))
    lanes.judge(first.job, true, 1_000, policy)
    lanes.leave(first.job)
    lanes.enter([second, third])
    lanes.judge(second.job, false, 2_000, policy)
    assert.isFalse(lanes.isSound(second.job.endpoint.id))
    assert.isTrue(lanes.wasSound(second.job))
    lanes.leave(second.job)
    assert.isFalse(lanes.wasSound(second.job), "it has no place any more")
  })
})
