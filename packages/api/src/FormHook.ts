/** Wire schemas of form hooks. */
import { HookStatus } from "@tolem/core/formhook/FormHook"
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { DateTime, optionalText, text } from "./Members.ts"

/** An address that HTML forms post to, to have an invoice made. */
export const FormHook = Schema.Struct({
  id: Schema.String.annotate({ description: "`hok_` and an opaque identifier" }),
  mode: Mode,
  status: HookStatus,
  url: Schema.String.annotate({ description: "Where forms are posted to" }),
  name: Schema.String,
  successUrl: text,
  failUrl: text,
  createdAt: DateTime,
  updatedAt: DateTime
}).annotate({ identifier: "FormHook" })
/** See the schema of the same name. */
export type FormHook = typeof FormHook.Type

/** The hooks of the key's organization and mode, oldest first. */
export const FormHookList = Schema.Struct({ hooks: Schema.Array(FormHook) }).annotate({ identifier: "FormHookList" })

const members = {
  successUrl: optionalText,
  failUrl: optionalText,
  status: Schema.optionalKey(HookStatus)
}

/** A new hook. */
export const FormHookCreate = Schema.Struct({ name: Schema.String, ...members }).annotate({
  identifier: "FormHookCreate"
})

/** What to change of a hook; absent members stay. A status pauses or resumes it. */
export const FormHookPatch = Schema.Struct({ name: Schema.optionalKey(Schema.String), ...members }).annotate({
  identifier: "FormHookPatch"
})
