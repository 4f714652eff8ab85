/**
 * Whether a statement stays within one organization. A statement is looked at select by select, and in each table by
 * table: its rows are those of a named organization, or those whose keys another one or the caller has found, or those
 * that belong to such rows of another table. A comparison of two tables alone names nothing.
 */

/** How a statement comes to its rows: the farthest of its tables. */
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
    if (char === "(")
      open.push(
        /^\s*(select|with|insert|update|delete)\b/.test(text.slice(at + 1, at + 20)) ? levels.push("") - 1 : level
      )
  }
  // Parts of a union, and what an insert takes its rows from, are selects of their own.
  return levels
    .flatMap((level) => level.split(/\b(?:union all|union)\b/))
    .flatMap((level) => level.split(/(?<=^\s*insert into .*)(?=\bselect\b)/s))
    .map((level) => level.replace(/\bset\b.*?(?=\b(?:from|where|returning)\b|$)/gs, ""))
}

const noAlias = "as|on|set|where|join|left|cross|order|limit|for|using|default|returning|group"
/** Functions that read nothing but what they are given. Others are looked at as tables are. */
const pure = "search_keys"
const tableNamed = new RegExp(String.raw`"tolem_(?!${pure}")(\w+)"(?:\s+(?:as\s+)?(?!(?:${noAlias})\b)(\w+))?`, "g")

/** The tables in a select, by the names that its conditions have for them. */
const tablesIn = (level: string): ReadonlyMap<string, string> =>
  new Map([...level.matchAll(tableNamed)].map(([, table = "", alias = ""]) => [alias, table]))

const isKey = (column: string): boolean =>
  /^(\w*id|digest|slug|lease|external_key|invoice|origin|consumer|code|phone)$/.test(column)

/** Of the values that a condition compares rows with. */
interface Comparison {
  readonly alias: string
  readonly column: string
  /** The table that the other side is of; undefined if it is given. */
  readonly other: string | undefined
}

const side = String.raw`(?:(\w+)\.)?"?(\w+)"?`
const equals = String.raw`\s*(?:=|\bin\b|\bis not distinct from\b)\s*(?:any\b|array\b|\(|\s)*`
const given = String.raw`(\$\d+|cast\b|''|\d)`
const equality = new RegExp(String.raw`${side}${equals}(?:${given}|${side}|(?=\)|select))`, "g")
const tuple = /\(([\w.", ]+)\)\s*(?:=|\bin\b)\s*\(/g

const comparisonsIn = (level: string): ReadonlyArray<Comparison> => [
  ...[...level.matchAll(equality)].flatMap<Comparison>(
    ([, alias = "", column = "", given, otherAlias, otherColumn]) => {
      if (given !== undefined || otherColumn === undefined) return [{ alias, column, other: undefined }]
      const other = otherAlias ?? ""
      return [
        { alias, column, other },
        { alias: other, column: otherColumn, other: alias }
      ]
    }
  ),
  ...[...level.matchAll(tuple)].flatMap(([, columns = ""]) =>
    columns.split(",").map((each) => {
      const [column = "", alias = ""] = each.trim().replaceAll('"', "").split(".").toReversed()
      return { alias, column, other: undefined }
    })
  )
]

const order: ReadonlyArray<Reach> = ["organization", "key", "crossing"]
const worst = (reaches: ReadonlyArray<Reach>): Reach =>
  reaches.reduce((a, b) => (order.indexOf(a) > order.indexOf(b) ? a : b), "organization")

const reachOfLevel = (level: string, sql: string): Reach => {
  if (/^\s*insert into/.test(level)) return /organization_id/.test(sql) ? "organization" : "key"
  const tables = tablesIn(level)
  const found = new Map<string, Reach>()
  const isOf = (name: string) => tables.has(name) || (name === "" && tables.size > 0)
  for (let size = -1; size < found.size; ) {
    size = found.size
    for (const { alias, column, other } of comparisonsIn(level)) {
      const isOrganization = column === "organization_id"
      if (!isOrganization && !isKey(column)) continue
      const from = other !== undefined && isOf(other) ? found.get(other) : isOrganization ? "organization" : "key"
      if (from === undefined) continue
      const known = found.get(alias)
      if (known === undefined || order.indexOf(from) < order.indexOf(known)) found.set(alias, from)
    }
  }
  const own = [...tables].filter(([, table]) => !common.includes(table))
  return worst(own.map(([alias]) => found.get(alias) ?? found.get("") ?? "crossing"))
}

/** Null: it touches no rows of organizations. */
export const reachOf = (sql: string): Reach | null => {
  const reaches = levelsOf(sql)
    .filter((level) => [...tablesIn(level).values()].some((table) => !common.includes(table)))
    .map((level) => reachOfLevel(level, sql))
  return reaches.length === 0 ? null : worst(reaches)
}

/** The statements of the verbs, as the snapshot shows them; not those of migrations. */
export const statementsIn = (snapshot: string): ReadonlyArray<{ readonly verb: string; readonly sql: string }> =>
  snapshot.split(/\n\n(?=-- )/).flatMap((section) => {
    const [, verb = "", sql = ""] = /^-- ([^\n]*)\n(.*)$/s.exec(section) ?? []
    const isOfVerb = !verb.startsWith("migration") && /^(select|insert|update|delete|with)\b/.test(sql)
    return isOfVerb ? [{ verb, sql }] : []
  })
