/** Records of the journal, day by day. */
import { Link } from "@tanstack/react-router"
import { day, isoDay, minute } from "@tolem/http-server/pages/Formats"
import type { Answer } from "../../api/Contract.ts"
import { useHere } from "../../app/Organization.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { JournalTexts } from "../../texts/JournalTexts.ts"
import { detailWords } from "./Detail.ts"
import styles from "./Journal.module.css"
import { useJournalTexts } from "./Texts.ts"

/** A record as it is answered. */
type JournalEntry = Answer<"GET /panel/orgs/:organizationId/journal">["records"][number]

/** The records, under the day that they are of. */
export const Records = ({ records }: { readonly records: ReadonlyArray<JournalEntry> }) => {
  const { language } = useWords()
  const days = Map.groupBy(records, ({ at }) => isoDay(Date.parse(at)))
  return (
    <>
      {Array.from(days, ([name, entries]) => (
        <section key={name} className={styles["day"]}>
          <h2>{day(Date.parse(`${name}T12:00:00+05:00`), language)}</h2>
          <ul className={styles["records"]}>
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

const Row = ({ entry }: { readonly entry: JournalEntry }) => {
  const texts = useJournalTexts()
  const { at, action, actor, detail } = entry
  const more = detailWords(detail, texts)
  const words = (texts.actions as Readonly<Record<string, string>>)[action] ?? action
  return (
    <li>
      <time dateTime={at}>{minute(Date.parse(at))}</time>
      <span className={styles["deed"]}>
        <span>
          {words}
          <Subject entry={entry} />
        </span>
        {more !== null && <small>{more}</small>}
        <small>
          <Who actor={actor} />
          {actor.origin !== null && ` · ${actor.origin}`}
        </small>
      </span>
    </li>
  )
}

/** What it was done to, where that says more than the deed does. */
const Subject = ({ entry }: { readonly entry: JournalEntry }) => {
  const { organizationId } = useHere()
  const { id, name } = entry.subject
  if (id.startsWith("inv_")) {
    return (
      <>
        {": "}
        <Link to="/$organizationId/invoices/$invoiceId" params={{ organizationId, invoiceId: id }} search={modeAlone}>
          {id}
        </Link>
      </>
    )
  }
  return name === null ? null : `: ${name}`
}

/** Who, with a way to all that they did. */
const Who = ({ actor }: Pick<JournalEntry, "actor">) => {
  const texts = useJournalTexts()
  const { organizationId } = useHere()
  const { kind, id } = actor
  if (id === null || kind === "operator" || kind === "application") return actorName(actor, texts)
  return (
    <Link
      to="/$organizationId/journal"
      params={{ organizationId }}
      search={(before) => ({ ...modeAlone(before), actor: id })}
    >
      {actorName(actor, texts)}
    </Link>
  )
}

/** What a person, a key or the service is called. */
export const actorName = (
  { kind, name }: Pick<JournalEntry["actor"], "kind" | "name">,
  texts: JournalTexts
): string => {
  if (kind === "operator") return texts.platform
  if (kind === "application") return texts.service
  if (name === null) return texts.unknown[kind]
  return kind === "key" ? texts.key(name) : name
}
