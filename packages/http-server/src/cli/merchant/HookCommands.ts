/** `tolem hook …` */
import { Engine } from "@tolem/core/engine/Engine"
import { hookFace } from "@tolem/core/formhook/HookJson"
import { group, readingCommand } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"
import * as Lists from "../kit/Lists.ts"
import * as Merchant from "../kit/Merchant.ts"
import { type Columns, localTime, members } from "../kit/Tables.ts"

type Shown = ReturnType<ReturnType<typeof hookFace>["one"]>

const columns: Columns<Shown> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  STATUS: ({ status }) => status,
  CAUGHT: ({ caught }) => caught,
  CREATED: ({ createdAt }) => localTime(createdAt),
  URL: ({ url }) => url
}

const list = readingCommand(
  "list",
  "List form hooks, oldest first",
  { ...Merchant.flags, baseUrl: Flags.baseUrlOfOthers, ...Lists.pageFlags },
  function* (given) {
    const { formHooks, settings } = yield* Engine
    const all = yield* formHooks.list(yield* Merchant.callerOf(given))
    const { rows, ...page } = yield* Lists.slice(all, given)
    const hooks = rows.map(hookFace(settings).one)
    return { json: { ...page, hooks }, text: Lists.paged(page, hooks, columns) }
  },
  Flags.baseSettings
)

const show = readingCommand(
  "show",
  "Show a form hook",
  {
    ...Merchant.flags,
    baseUrl: Flags.baseUrlOfOthers,
    id: Flags.text("id", "ID", "Id of the hook, as hook list shows it")
  },
  function* ({ id, ...of }) {
    const { formHooks, settings } = yield* Engine
    const shown = hookFace(settings).one(yield* formHooks.get(yield* Merchant.callerOf(of), id))
    const text = members({
      id: shown.id,
      url: shown.url,
      name: shown.name,
      mode: shown.mode,
      status: shown.status,
      "sites that may post": shown.allowedOrigins.length === 0 ? "all" : shown.allowedOrigins.join(", "),
      "field that people do not see": shown.honeypot,
      "programs caught": shown.caught,
      "after success": shown.successUrl,
      "after failure": shown.failUrl,
      created: localTime(shown.createdAt),
      changed: localTime(shown.updatedAt)
    })
    return { json: shown, text }
  },
  Flags.baseSettings
)

/** Form hooks. */
export const hook = group("hook", "Form hooks: addresses that forms of web sites post to", [list, show])
