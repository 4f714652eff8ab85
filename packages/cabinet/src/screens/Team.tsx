/** The members of an organization, and what each may do. */
import { useQuery } from "@tanstack/react-query"
import { TableProperties, UserRound } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import { useMay } from "../app/Permissions.ts"
import { useGiven } from "../app/Places.ts"
import { reading } from "../app/Queries.ts"
import { useSession } from "../app/SessionContext.ts"
import { maskedText } from "../login/PhoneText.ts"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { tenge } from "../parts/MoneyWords.ts"
import { Refused } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import { useCashiers } from "./cashiers/Cashier.ts"
import type { Member } from "./team/Member.ts"

const Rights = lazy(() => import("./team/Rights.tsx").then(({ Rights }) => ({ default: Rights })))
const MemberDialog = lazy(() =>
  import("./team/MemberDialog.tsx").then(({ MemberDialog }) => ({ default: MemberDialog }))
)

/** The screen. */
export const Team = () => {
  const { texts } = useWords()
  const { data, error } = useQuery(reading("GET /panel/orgs/:organizationId/members", useGiven()))
  const mayChange = useMay()("members:change") !== null
  const [hasRights, setRights] = useState(false)
  const [chosen, setChosen] = useState<Member | null>(null)
  useTitle(texts.team.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{texts.team.title}</h1>
        <Button look="second" isSmall onClick={() => setRights(true)}>
          <TableProperties size={18} aria-hidden />
          {texts.rights.show}
        </Button>
      </header>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={3} tall />}
      {data !== undefined && (
        <Card title={texts.team.about}>
          <ul className={rows["rows"]}>
            {data.members.map((member) => (
              <MemberRow
                key={member.accountId}
                member={member}
                onChange={mayChange && member.role !== "owner" ? () => setChosen(member) : null}
              />
            ))}
          </ul>
        </Card>
      )}
      <Suspense fallback={null}>
        {chosen !== null && <MemberDialog member={chosen} onClose={() => setChosen(null)} />}
        {hasRights && <Rights onClose={() => setRights(false)} />}
      </Suspense>
    </div>
  )
}

interface MemberRowProps {
  readonly member: Member
  /** Null: the person may not, or it is the owner. */
  readonly onChange: (() => void) | null
}

const MemberRow = ({ member, onChange }: MemberRowProps) => {
  const { texts } = useWords()
  const { account } = useSession()
  const cashiers = useCashiers()
  const { role, refundLimit, connectionIds } = member
  const refunds = refundLimit === null ? texts.team.noRefunds : texts.team.limit(tenge(refundLimit))
  const given = cashiers.filter(({ id }) => connectionIds.includes(id)).map(({ name }) => name)
  const withWhom = given.length === 0 ? texts.team.noCashiers : given.join(", ")
  const name = member.name ?? maskedText(member.phone)
  return (
    <li>
      <UserRound size={22} aria-hidden className={rows["icon"]} />
      <span className={rows["words"]}>
        <span className={rows["name"]}>
          {name}
          {member.accountId === account.id && <small>{texts.team.you}</small>}
        </span>
        <span className={rows["quiet"]}>
          {[
            texts.profile.roles[role],
            role === "cashier" && cashiers.length > 0 ? withWhom : null,
            role === "cashier" ? refunds : null,
            member.name === null ? null : maskedText(member.phone)
          ]
            .filter((part) => part !== null)
            .join(" · ")}
        </span>
      </span>
      {onChange !== null && (
        <Button look="plain" isSmall aria-label={`${texts.team.change}: ${name}`} onClick={onChange}>
          {texts.team.change}
        </Button>
      )}
    </li>
  )
}
