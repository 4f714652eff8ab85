/** The members of an organization, and what each may do. */
import { useQuery } from "@tanstack/react-query"
import { TableProperties, UserPlus, UserRound } from "lucide-react"
import { useState } from "react"
import { useMay } from "../app/Permissions.ts"
import { useGiven } from "../app/Places.ts"
import { reading } from "../app/Queries.ts"
import { useSession } from "../app/SessionContext.ts"
import { maskedText } from "../login/PhoneText.ts"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { loadedPart } from "../parts/LoadedPart.tsx"
import { tenge } from "../parts/MoneyWords.ts"
import { Refused } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import { useCashiers } from "./cashiers/Cashier.ts"
import { Invitations } from "./team/Invitations.tsx"
import type { Member } from "./team/Member.ts"

const Rights = loadedPart(() => import("./team/Rights.tsx").then(({ Rights }) => Rights))
const InviteDialog = loadedPart(() => import("./team/InviteDialog.tsx").then(({ InviteDialog }) => InviteDialog))
const MemberDialog = loadedPart(() => import("./team/MemberDialog.tsx").then(({ MemberDialog }) => MemberDialog))

/** The screen. */
export const Team = () => {
  const { texts } = useWords()
  const { data, error } = useQuery(reading("GET /panel/orgs/:organizationId/members", useGiven()))
  const mayChange = useMay()("members:change") !== null
  const [hasRights, setRights] = useState(false)
  const [chosen, setChosen] = useState<Member | null>(null)
  const [isInviting, setInviting] = useState(false)
  useTitle(texts.team.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{texts.team.title}</h1>
        <span className={rows["actions"]}>
          <Button look="second" isSmall onClick={() => setRights(true)}>
            <TableProperties size={18} aria-hidden />
            {texts.rights.show}
          </Button>
          {mayChange && (
            <Button isSmall onClick={() => setInviting(true)}>
              <UserPlus size={18} aria-hidden />
              {texts.invitations.invite}
            </Button>
          )}
        </span>
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
      <Invitations />
      {chosen !== null && <MemberDialog member={chosen} onClose={() => setChosen(null)} />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {hasRights && <Rights onClose={() => setRights(false)} />}
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
