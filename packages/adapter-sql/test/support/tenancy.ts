/**
 * Whether a statement stays within one organization. A statement is looked at select by select: each that reads or
 * changes rows of organizations names one, or has the keys of rows that another one or the caller has found.
 */

/** How a statement comes to its rows: the farthest of its selects. */
export type Reach = "organization" | "key" | "crossing"

/** Tables of what belongs to no organization, or stands above them. */
const common = [
  "accounts",
  "chain_heads",
  "chain_links",
  "consumers",
  "link_sweeps",
  "login_challenges",
  "mail_confirmations",
  "messenger_links",
  "messenger_readings",
  "migrations",
  "place_takers",
  "rate_windows",
  "removals",
  "sealing",
  "secret_checks",
  "servers",
  "sessions"
]

/** The text of each select, without those that stand in it. */
const levelsOf = (sql: string): ReadonlyArray<string> => {
  const levels = [""]
  const open = [0]
  const text = sql.replace(/'[^']*'/g, "''")
  for (const [at, char] of [...text].entries()) {
    const level = open.at(-1) ?? 0
    if (char === ")") open.pop()
    levels[char === ")" ? (open.at(-1) ?? 0) : level] += char
    if (char === "(") open.push(/^\s*(select|with)\b/.test(text.slice(at + 1, at + 20)) ? levels.push("") - 1 : level)
  }
  return levels
}

const tablesIn = (level: string): ReadonlyArray<string> =>
  [...level.matchAll(/"tolem_(\w+)"/g)].map(([, name]) => name ?? "").filter((name) => !common.includes(name))

const organization = /\borganization_id"?\s*(=|in\b|is not distinct)/
const key =
  /\b(\w*id|digest|slug|lease|external_key|invoice|consumer|code|phone)"?\s*(=|in\b)\s*(\$\d|any\b|cast\b|\w+\.\w|\()/
const tuple = /\)\s*(=|in)\s*\(/

const reachOfLevel = (level: string, sql: string): Reach => {
  if (/^\s*insert into/.test(level)) return /organization_id/.test(sql) ? "organization" : "key"
  if (organization.test(level)) return "organization"
  return key.test(level) || tuple.test(level) ? "key" : "crossing"
}

const order: ReadonlyArray<Reach> = ["organization", "key", "crossing"]

/** Null: it touches no rows of organizations. */
export const reachOf = (sql: string): Reach | null => {
  const reaches = levelsOf(sql)
    .filter((level) => tablesIn(level).length > 0)
    .map((level) => reachOfLevel(level, sql))
  return reaches.length === 0 ? null : reaches.reduce((a, b) => (order.indexOf(a) > order.indexOf(b) ? a : b))
}

/** The statements of the verbs, as the snapshot shows them; not those of migrations. */
export const statementsIn = (snapshot: string): ReadonlyArray<{ readonly verb: string; readonly sql: string }> =>
  snapshot.split(/\n\n(?=-- )/).flatMap((section) => {
    const [, verb = "", sql = ""] = /^-- ([^\n]*)\n(.*)$/s.exec(section) ?? []
    const isOfVerb = !verb.startsWith("migration") && /^(select|insert|update|delete|with)\b/.test(sql)
    return isOfVerb ? [{ verb, sql }] : []
  })
