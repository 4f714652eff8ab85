/** The form hook as a row. */
import type { FormHook, HookStatus } from "@tolem/core/formhook/FormHook"
import type { Mode } from "@tolem/core/value/Mode"

/** Columns that batches carry, in order. */
export const columns = {
  id: "text",
  organization_id: "text",
  mode: "text",
  connection_id: "text",
  name: "text",
  success_url: "text",
  fail_url: "text",
  status: "text",
  created_at: "bigint",
  updated_at: "bigint",
  version: "bigint"
} as const

/** A row as the database answers it. */
export interface FormHookRow {
  readonly id: string
  readonly organization_id: string
  readonly mode: Mode
  readonly connection_id: string | null
  readonly name: string
  readonly success_url: string | null
  readonly fail_url: string | null
  readonly status: HookStatus
  readonly created_at: number
  readonly updated_at: number
  readonly version: number
}

/** The row of a hook. */
export const toRow = (hook: FormHook): FormHookRow => ({
  id: hook.id,
  organization_id: hook.organizationId,
  mode: hook.mode,
  connection_id: hook.connectionId,
  name: hook.name,
  success_url: hook.successUrl,
  fail_url: hook.failUrl,
  status: hook.status,
  created_at: hook.createdAt,
  updated_at: hook.updatedAt,
  version: hook.version
})

/** The hook of a row. */
export const fromRow = (row: FormHookRow): FormHook => ({
  id: row.id,
  organizationId: row.organization_id,
  mode: row.mode,
  connectionId: row.connection_id,
  name: row.name,
  successUrl: row.success_url,
  failUrl: row.fail_url,
  status: row.status,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  version: row.version
})
