/** An organization's API keys of the mode that is looked at. */
import { useQuery } from "@tanstack/react-query"
import { ago } from "@tolem/http-server/pages/Formats"
import { KeyRound } from "lucide-react"
import type { Answer } from "../api/Contract.ts"
import { useHere } from "../app/Organization.ts"
import { reading } from "../app/Queries.ts"
import { Card } from "../parts/Card.tsx"
import { useNow } from "../parts/Now.ts"
import { Refused } from "../parts/Refused.tsx"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import rows from "./Profile.module.css"

/** The screen. */
export const Keys = () => {
  const { texts } = useWords()
  const { organizationId, mode } = useHere()
  const given = { params: { organizationId }, query: { mode } }
  const { data, error } = useQuery(reading("GET /panel/orgs/:organizationId/api-keys", given))
  const keys = data?.keys.filter((key) => key.mode === mode)
  useTitle(texts.keys.title)
  return (
    <div className={rows["screen"]}>
      <h1>{texts.keys.title}</h1>
      {error !== null && <Refused failure={error} />}
      {keys === undefined && error === null && <Skeleton lines={3} tall />}
      {keys?.length === 0 && <Card title={texts.keys.none} text={texts.keys.noneText} />}
      {keys !== undefined && keys.length > 0 && (
        <Card title={texts.shell[mode]} text={texts.keys.about}>
          <ul className={rows["rows"]}>
            {keys.map((key) => (
              <KeyRow key={key.id} entry={key} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

type Entry = Answer<"GET /panel/orgs/:organizationId/api-keys">["keys"][number]

const KeyRow = ({ entry }: { readonly entry: Entry }) => {
  const { texts, language } = useWords()
  const now = useNow(60_000)
  const told = (at: string) => ago(Date.parse(at), now, language)
  const used = entry.lastUsedAt === null ? texts.keys.neverUsed : texts.keys.lastUsed(told(entry.lastUsedAt))
  const bound = entry.connectionId === null ? [] : [texts.keys.bound]
  return (
    <li>
      <KeyRound size={22} aria-hidden className={rows["icon"]} />
      <span className={rows["words"]}>
        <span className={rows["name"]}>
          {entry.name}
          <code>…{entry.lastCharacters}</code>
        </span>
        <span className={rows["quiet"]}>{[used, texts.keys.made(told(entry.createdAt)), ...bound].join(" · ")}</span>
        <span className={rows["quiet"]}>{entry.scopes.join(", ")}</span>
      </span>
    </li>
  )
}
