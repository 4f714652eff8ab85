/** Promises of `FormHookStore`. */
import { FormHookStore } from "@tolem/core/formhook/FormHookStore"
import { formHookOf, freshId } from "../fixtures.ts"
import { casesOfKept } from "./KeptCases.ts"

/** What every storage must do, of “form hooks”. */
export const casesOfHooks = casesOfKept("form hooks", {
  store: FormHookStore,
  of: formHookOf,
  freshId: () => freshId("hok"),
  own: { name: 'Тапсырыс "1"' },
  changes: (index) => ({ name: `Form ${index}` }),
  tooMany: "TooManyHooks"
})
