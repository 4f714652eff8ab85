/** The form hook as a row. */
import type { FormHook } from "@tolem/core/formhook/FormHook"
import { once, table } from "../base/Table.ts"

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
  version: "bigint"
})
