/** Promises of `FormHookStore`. */
import type { FormHook } from "@tolem/core/formhook/FormHook"
import { FormHookStore } from "@tolem/core/formhook/FormHookStore"
import type { Viewer } from "@tolem/core/value/Tenant"
import { Effect, Option, Result } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { formHookOf, freshId, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const shop: Viewer = { organizationId: "org_shop", mode: "sandbox", connectionId: null }

const given = Effect.fnUntraced(function* (members: Partial<FormHook> = {}) {
  const hook = formHookOf(members)
  yield* FormHookStore.use((store) => store.add(hook, 100))
  return hook
})

const next = (hook: FormHook, members: Partial<FormHook>): FormHook => ({
  ...hook,
  ...members,
  updatedAt: hook.updatedAt + 1,
  version: hook.version + 1
})

/** What every storage must do, of “form hooks”. */
export const casesOfHooks = storageSubject("form hooks", {
  *"come back as they were written, by id, and oldest first"() {
    const store = yield* FormHookStore
    const full = yield* given({
      mode: "live",
      connectionId: "con_1",
      name: 'Тапсырыс "1"',
      successUrl: "https://shop.kz/thanks?a=1&b=қ",
      failUrl: "https://shop.kz/sorry#top",
      status: "paused",
      createdAt: startAt + 1,
      updatedAt: startAt + 2,
      version: 7
    })
    const newer = yield* given({ createdAt: startAt + 5 })
    const older = yield* given()
    expectEqual(yield* store.find(full.id), Option.some(full), "one by its id")
    expectEqual(yield* store.find(freshId("hok")), Option.none(), "an unknown one by nothing")
    expectEqual(yield* store.list(shop), [older, newer], "the shop's own in one mode")
    const live: Viewer = { ...shop, mode: "live" }
    expectEqual(yield* store.list(live), [full], "and in the other")
    expectEqual(yield* store.list({ ...live, connectionId: "con_1" }), [full], "those of a cashier")
    expectEqual(yield* store.list({ ...live, connectionId: "con_2" }), [], "and of no other")
    expectEqual(yield* store.list({ ...shop, organizationId: "org_other" }), [], "no other organization's")
  },

  *"are as many as the limit says, by organization and mode, also when added at once"() {
    const store = yield* FormHookStore
    const results = yield* Effect.forEach(
      Array.from({ length: 12 }, () => formHookOf()),
      (hook) => Effect.result(store.add(hook, 5)),
      { concurrency: "unbounded" }
    )
    expectEqual(results.filter(Result.isSuccess).length, 5, "five are added")
    const failures = results.filter(Result.isFailure).map(({ failure }) => failure._tag)
    expectEqual(new Set<string>(failures), new Set(["TooManyHooks"]), "the others are too many")
    const [first] = yield* store.list(shop)
    yield* store.add(formHookOf({ mode: "live" }), 5)
    yield* store.add(formHookOf({ organizationId: "org_other" }), 5)
    yield* store.remove("org_shop", first!.id, startAt)
    yield* store.add(formHookOf(), 5)
    expectEqual((yield* store.list(shop)).length, 5, "a removed one leaves its place")
  },

  *"are replaced by the first writer"() {
    const store = yield* FormHookStore
    const hook = yield* given({ successUrl: "https://shop.kz/" })
    const neighbour = yield* given()
    const members = { successUrl: null, failUrl: "https://shop.kz/no", status: "paused" } as const
    const changes = Array.from({ length: 5 }, (_, index) => next(hook, { ...members, name: `Form ${index}` }))
    const written = yield* Effect.forEach(changes, (change) => store.replace(change), {
      concurrency: "unbounded"
    })
    expectEqual(written.filter((isFirst) => isFirst).length, 1, "one wins")
    const [winner] = changes.filter((_, index) => written[index])
    expectEqual(yield* store.list(shop), [winner!, neighbour], "and is what is stored, its neighbour untouched")
    const strange = { ...next(winner!, {}), organizationId: "org_other" }
    expectTrue(!(yield* store.replace(strange)), "no other organization can")
  },

  *"are removed by their own organization only, for good"() {
    const store = yield* FormHookStore
    const hook = yield* given()
    expectTrue(!(yield* store.remove("org_other", hook.id, startAt)), "a stranger finds none to remove")
    expectTrue(yield* store.remove("org_shop", hook.id, startAt + 5), "its owner does")
    expectTrue(!(yield* store.remove("org_shop", hook.id, startAt + 5)), "once")
    expectEqual(yield* store.find(hook.id), Option.none(), "it is gone")
    expectTrue(!(yield* store.replace(next(hook, {}))), "it cannot be changed")
  }
})
