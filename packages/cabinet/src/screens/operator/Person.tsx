/** A person on the platform: what they are a member of, and what is done about their account. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { day } from "@tolem/http-server/pages/Formats"
import { askFresh } from "../../api/Confirmation.ts"
import type { Answer } from "../../api/Contract.ts"
import { reading } from "../../app/Queries.ts"
import { Card } from "../../parts/Card.tsx"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import { Act } from "./Act.tsx"
import styles from "./Operator.module.css"
import { useOperatorTexts } from "./Texts.ts"

type Shown = Answer<"GET /panel/operator/accounts/:id">

/** The screen. */
export const Person = ({ accountId }: { readonly accountId: string }) => {
  const { people } = useOperatorTexts()
  const { data, error } = useQuery(reading("GET /panel/operator/accounts/:id", { params: { id: accountId } }))
  const title = data?.name ?? data?.phone ?? people.title
  useTitle(title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{title}</h1>
        {data !== undefined && <Pill tone={data.status === "active" ? "good" : "bad"}>{people[data.status]}</Pill>}
      </header>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {data !== undefined && <Account person={data} />}
      {data !== undefined && <Memberships person={data} />}
    </div>
  )
}

const Account = ({ person }: { readonly person: Shown }) => {
  const { people, journal } = useOperatorTexts()
  const { language } = useWords()
  const queries = useQueryClient()
  const { id, phone, createdAt, sessions, status } = person
  const given = { params: { id } }
  const again = () => void queries.invalidateQueries()
  return (
    <Card title={phone} text={`${id} · ${people.since(day(Date.parse(createdAt), language))}`}>
      <p>{people.sessions(sessions)}</p>
      {person.isOperator && <p>{people.isOperator}</p>}
      <div className={styles["acts"]}>
        {status === "active" ? (
          <Act
            name={people.block}
            text={people.blockText}
            look="bad"
            act={() => askFresh("POST /panel/operator/accounts/:id/block", given)}
            told={() => people.done}
            onDone={again}
          />
        ) : (
          <Act
            name={people.unblock}
            text={people.unblockText}
            act={() => askFresh("POST /panel/operator/accounts/:id/unblock", given)}
            told={() => people.done}
            onDone={again}
          />
        )}
        <Act
          name={people.endSessions}
          text={people.endSessionsText}
          act={() => askFresh("POST /panel/operator/accounts/:id/end-sessions", given)}
          told={({ ended }) => people.ended(ended)}
          onDone={again}
        />
        <Link to="/operator/journal" search={{ actor: id }}>
          {journal.ofPerson}
        </Link>
      </div>
    </Card>
  )
}

const Memberships = ({ person: { memberships } }: { readonly person: Shown }) => {
  const { people } = useOperatorTexts()
  const { texts } = useWords()
  return (
    <Card title={people.organizations} text={memberships.length === 0 ? people.noOrganizations : null}>
      <ul className={rows["rows"]}>
        {memberships.map(({ organizationId, name, role, mode }) => (
          <li key={organizationId}>
            <span className={rows["words"]}>
              <span className={rows["name"]}>{name}</span>
              <span className={rows["quiet"]}>
                {texts.profile.roles[role]} · {organizationId}
              </span>
            </span>
            <Pill tone={mode === "live" ? "good" : "calm"}>{texts.shell[mode]}</Pill>
          </li>
        ))}
      </ul>
    </Card>
  )
}
