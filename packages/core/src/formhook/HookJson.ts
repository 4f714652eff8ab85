/** Form hooks as answers show them (decided here: the specification has no shapes). Pure. */
import { toIso } from "../value/Calendar.ts"
import type { FormHookId } from "../value/Ids.ts"
import type { FormHook } from "./FormHook.ts"
import type { FormHookSettings } from "./FormHookSettings.ts"

// Forms post there.
const hookUrl = (id: FormHookId, settings: FormHookSettings): string => `${settings.baseUrl}/f/${id}`

/** A hook as its merchant sees it. */
const hookJson = (hook: FormHook, settings: FormHookSettings) => ({
  id: hook.id,
  mode: hook.mode,
  status: hook.status,
  url: hookUrl(hook.id, settings),
  name: hook.name,
  successUrl: hook.successUrl,
  failUrl: hook.failUrl,
  allowedOrigins: hook.allowedOrigins,
  honeypot: hook.honeypot,
  caught: hook.caughtCount,
  createdAt: toIso(hook.createdAt),
  updatedAt: toIso(hook.updatedAt)
})

/** How answers show hooks: one, one that was just made, and all. */
export const hookFace = (settings: FormHookSettings) => {
  const one = (hook: FormHook) => hookJson(hook, settings)
  return { one, made: one, all: (hooks: ReadonlyArray<FormHook>) => ({ hooks: hooks.map(one) }) }
}
