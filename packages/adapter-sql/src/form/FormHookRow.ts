/** The form hook as a row. */
import type { FormHook } from "@tolem/core/formhook/FormHook"
import { once, table } from "../base/Table.ts"

/** Words without blanks, none as null: so was what stood in the rows before there was such a column. */
const words = {
  type: "text",
  encode: (value: ReadonlyArray<string>): string | null => (value.length === 0 ? null : value.join(" ")),
  decode: (stored: string | null): ReadonlyArray<string> => (stored === null ? [] : stored.split(" "))
} as const

/** The table of form hooks. */
export const formHookTable = table<FormHook>("form_hooks")({
  id: once("text"),
  organizationId: once("text"),
  mode: once("text"),
  connectionId: once("text"),
  name: "text",
  successUrl: "text",
  failUrl: "text",
  status: "text",
  createdAt: once("bigint"),
  updatedAt: "bigint",
  version: "bigint",
  allowedOrigins: words,
  honeypot: "text",
  caughtCount: { type: "bigint", name: "caught", once: true, decode: (stored: number | null) => stored ?? 0 }
})
