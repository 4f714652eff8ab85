/** Wire schemas of form hooks. */
import { HookStatus } from "@tolem/core/formhook/FormHook"
import { maxHoneypot, maxHookName } from "@tolem/core/formhook/HookRequests"
import { maxOriginLength, maxOrigins } from "@tolem/core/merchant/SiteOrigins"
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { DateTime, id, line, optional, page, returnUrl, text } from "./Members.ts"

/** An address that HTML forms post to, to have an invoice made. */
export const FormHook = Schema.Struct({
  id: id("hok"),
  mode: Mode,
  status: HookStatus,
  url: Schema.String.annotate({ format: "uri", description: "Where forms are posted to" }),
  name: Schema.String,
  successUrl: returnUrl,
  failUrl: returnUrl,
  allowedOrigins: Schema.Array(Schema.String).annotate({ description: "Sites that forms may be on; empty: any" }),
  honeypot: text.annotate({ description: "A field that people do not see; a form that has it filled in is caught" }),
  caught: Schema.Int.annotate({ minimum: 0, description: "Forms that were caught so" }),
  createdAt: DateTime,
  updatedAt: DateTime
}).annotate({ identifier: "FormHook" })
/** See the schema of the same name. */
export type FormHook = typeof FormHook.Type

/** The hooks of the key's organization and mode, oldest first. */
export const FormHookList = Schema.Struct({ hooks: Schema.Array(FormHook) }).annotate({ identifier: "FormHookList" })

const name = line(maxHookName)

const members = {
  successUrl: optional(page),
  failUrl: optional(page),
  status: Schema.optionalKey(HookStatus),
  allowedOrigins: optional(
    Schema.Array(Schema.String.annotate({ format: "uri", maxLength: maxOriginLength })).annotate({
      maxItems: maxOrigins,
      description: "Sites that forms may be on, as `https://shop.example.kz`; empty: any",
      examples: [["https://shop.example.kz"]]
    })
  ),
  honeypot: optional(
    line(maxHoneypot).annotate({
      description: "The name of a field that people do not see: a form that has it filled in makes nothing",
      examples: ["website"]
    })
  )
}

/** A new hook. */
export const FormHookCreate = Schema.Struct({ name, ...members }).annotate({
  identifier: "FormHookCreate",
  examples: [{ name: "Order form", successUrl: "https://shop.example.kz/thanks" }]
})

/** What to change of a hook; absent members stay. A status pauses or resumes it. */
export const FormHookPatch = Schema.Struct({ name: Schema.optionalKey(name), ...members }).annotate({
  identifier: "FormHookPatch",
  examples: [{ name: "Order form, spring" }]
})
