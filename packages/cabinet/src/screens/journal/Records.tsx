/** Records of the journal of an organization. */
import { Link } from "@tanstack/react-router"
import type { Answer } from "../../api/Contract.ts"
import { useHere } from "../../app/Organization.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { JournalTexts } from "../../texts/JournalTexts.ts"
import { detailWords } from "./Detail.ts"
import { RecordLine } from "./RecordDays.tsx"
import { useJournalTexts } from "./Texts.ts"

/** A record as it is answered. */
type JournalEntry = Answer<"GET /panel/orgs/:organizationId/journal">["records"][number]

/** A line of the list. */
export const MerchantEntry = ({ entry }: { readonly entry: JournalEntry }) => {
  const texts = useJournalTexts()
  const { language } = useWords()
  const { at, action, actor, detail } = entry
  const deed = (
    <>
      {(texts.actions as Readonly<Record<string, string>>)[action] ?? action}
      <Subject entry={entry} />
    </>
  )
  return (
    <RecordLine at={at} deed={deed} more={detailWords(detail, texts, language)}>
      <small>
        <Who actor={actor} />
        {actor.origin !== null && ` · ${actor.origin}`}
      </small>
    </RecordLine>
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
