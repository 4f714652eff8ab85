/** Promises of `FormHookStore`. */
import { FormHookStore } from "@tolem/core/formhook/FormHookStore"
import { Effect, Option } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { formHookOf, freshId } from "../fixtures.ts"
import { casesOfKept, nextOf } from "./KeptCases.ts"
import { storageSubject } from "./StorageCase.ts"

/** What every storage must do, of “form hooks”. */
export const casesOfHooks = [
  ...casesOfKept("form hooks", {
    store: FormHookStore,
    of: formHookOf,
    freshId: () => freshId("hok"),
    own: { name: 'Тапсырыс "1"', allowedOrigins: ["https://shop.kz", "http://localhost:8080"], honeypot: "website" },
    changes: (index) => ({ name: `Form ${index}` }),
    tooMany: "TooManyHooks"
  }),
  ...storageSubject("form hooks", {
    *"count what they have caught, whatever is changed beside it"() {
      const store = yield* FormHookStore
      const hook = formHookOf()
      yield* store.add(hook, 100)
      yield* Effect.all(
        Array.from({ length: 8 }, () => store.countCaught(hook.id)),
        { concurrency: "unbounded" }
      )
      expectTrue(yield* store.replace(nextOf(hook, { name: "Form" })), "a change from before is written")
      const kept = { ...nextOf(hook, { name: "Form" }), caughtCount: 8 }
      expectEqual(yield* store.find(hook.id), Option.some(kept), "and forgets none")
      yield* store.countCaught(freshId("hok"))
    }
  })
]
