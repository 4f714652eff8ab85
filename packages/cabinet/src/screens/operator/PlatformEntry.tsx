/** A line of the platform's journal, with links to the person and the organization that it names. */
import { Link } from "@tanstack/react-router"
import type { Answer } from "../../api/Contract.ts"
import { useWords } from "../../parts/Words.tsx"
import { detailWords } from "../journal/Detail.ts"
import { RecordLine } from "../journal/RecordDays.tsx"
import { useJournalTexts } from "../journal/Texts.ts"
import { useOperatorTexts } from "./Texts.ts"

type Shown = Answer<"GET /panel/operator/journal">["records"][number]

/** The line. */
export const PlatformEntry = ({ entry }: { readonly entry: Shown }) => {
  const common = useJournalTexts()
  const { journal } = useOperatorTexts()
  const { language } = useWords()
  const { at, action, organization, actor, detail } = entry
  const actions: Readonly<Record<string, string>> = { ...common.actions, ...journal.actions }
  const texts = {
    labels: { ...common.labels, ...journal.labels },
    values: { ...common.values, ...journal.values }
  }
  const deed = (
    <>
      {actions[action] ?? action}
      <Subject entry={entry} />
    </>
  )
  return (
    <RecordLine at={at} deed={deed} more={detailWords(detail, texts, language)}>
      <small>
        <Who actor={actor} />
        {actor.origin !== null && ` · ${actor.origin}`}
        {organization !== null && (
          <>
            {" · "}
            <Way id={organization.id} name={organization.name ?? organization.id} />
          </>
        )}
      </small>
    </RecordLine>
  )
}

/** What it was done to, unless that is the organization that is named anyway. */
const Subject = ({ entry: { subject, organization } }: { readonly entry: Shown }) => {
  const { id, name } = subject
  if (id === organization?.id) return null
  return (
    <>
      {": "}
      <Way id={id} name={name ?? id} />
    </>
  )
}

const Way = ({ id, name }: { readonly id: string; readonly name: string }) => {
  if (id.startsWith("acc_")) {
    return (
      <Link to="/operator/people/$accountId" params={{ accountId: id }}>
        {name}
      </Link>
    )
  }
  if (id.startsWith("org_")) {
    return (
      <Link to="/operator/merchants/$merchantId" params={{ merchantId: id }}>
        {name}
      </Link>
    )
  }
  return id.startsWith("inv_") ? (
    <Link to="/operator/looks" search={{ search: id }}>
      {name}
    </Link>
  ) : (
    name
  )
}

/** Who: a person with the way to them, a key or a user of the command line with the way to all that they did. */
const Who = ({ actor: { kind, id, name } }: Pick<Shown, "actor">) => {
  const { service, unknown, platform } = useJournalTexts()
  const { journal } = useOperatorTexts()
  if (kind === "application") return service
  if (id === null) return kind === "operator" ? platform : unknown[kind]
  const called = name ?? id
  const words = kind === "operator" ? journal.operator(called) : called
  return id.startsWith("acc_") ? (
    <Way id={id} name={words} />
  ) : (
    <Link to="/operator/journal" search={{ actor: id }}>
      {words}
    </Link>
  )
}
