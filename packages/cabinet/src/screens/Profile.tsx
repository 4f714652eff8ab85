/**
 * The person's own screen: who they are here, how the cabinet looks, where they are logged in, and who they have
 * brought.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { ago } from "@tolem/http-server/pages/Formats"
import { Copy, Monitor, Smartphone } from "lucide-react"
import { useState } from "react"
import { askFresh } from "../api/Confirmation.ts"
import type { Answer } from "../api/Contract.ts"
import { ask, refreshSession } from "../api/Session.ts"
import { reading } from "../app/Queries.ts"
import { useSession } from "../app/SessionContext.ts"
import { maskedText } from "../login/PhoneText.ts"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { deviceOf, isHandheld } from "../parts/Device.ts"
import { LanguageSwitch } from "../parts/LanguageSwitch.tsx"
import { tenge } from "../parts/MoneyWords.ts"
import { useNotify } from "../parts/Notices.tsx"
import { useNow } from "../parts/Now.ts"
import { Refused, useExplanation } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { useCopy } from "../parts/Share.tsx"
import { Skeleton } from "../parts/Skeleton.tsx"
import { ThemeSwitch } from "../parts/ThemeSwitch.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import styles from "./Profile.module.css"
import { EmailDialog } from "./profile/EmailDialog.tsx"
import { NameDialog } from "./profile/NameDialog.tsx"

/** The screen. */
export const Profile = () => {
  const { texts } = useWords()
  useTitle(texts.profile.title)
  return (
    <div className={styles["screen"]}>
      <h1>{texts.profile.title}</h1>
      <Account />
      <Sessions />
      <ReferralCard />
    </div>
  )
}

const Account = () => {
  const { texts } = useWords()
  const { account, memberships } = useSession()
  const [dialog, setDialog] = useState<"name" | "email" | null>(null)
  const close = () => setDialog(null)
  const remove = useEmailRemoval()
  return (
    <Card
      title={account.name ?? texts.profile.unnamed}
      text={[maskedText(account.phone), account.email].filter((part) => part !== null).join(" · ")}
    >
      <div className={styles["choices"]}>
        <Button look="second" isSmall onClick={() => setDialog("name")}>
          {texts.profile.changeName}
        </Button>
        <Button look="second" isSmall onClick={() => setDialog("email")}>
          {account.email === null ? texts.profile.addEmail : texts.profile.changeEmail}
        </Button>
        {account.email !== null && (
          <Button look="bad" isSmall isBusy={remove.isPending} onClick={() => remove.mutate()}>
            {texts.profile.removeEmail}
          </Button>
        )}
      </div>
      {dialog === "name" && <NameDialog name={account.name ?? ""} onClose={close} />}
      {dialog === "email" && <EmailDialog onClose={close} />}
      {memberships.length === 0 ? (
        <p className={rows["quiet"]}>{texts.profile.noOrganizations}</p>
      ) : (
        <ul className={rows["rows"]} aria-label={texts.profile.organizations}>
          {memberships.map(({ organizationId, name, role }) => (
            <li key={organizationId}>
              <span className={rows["words"]}>{name}</span>
              <span className={rows["quiet"]}>{texts.profile.roles[role]}</span>
            </li>
          ))}
        </ul>
      )}
      <div className={styles["choices"]}>
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
    </Card>
  )
}

const useEmailRemoval = () => {
  const { texts } = useWords()
  const notify = useNotify()
  const explain = useExplanation()
  return useMutation({
    mutationFn: async () => {
      await askFresh("DELETE /panel/account/email", {})
      await refreshSession()
    },
    onSuccess: () => notify({ title: texts.profile.emailRemoved }),
    onError: (failure) => notify({ title: explain(failure).title, tone: "bad" })
  })
}

type Entry = Answer<"GET /panel/sessions">["sessions"][number]

const sessionsReading = reading("GET /panel/sessions", {})

const Sessions = () => {
  const { texts } = useWords()
  const queries = useQueryClient()
  const notify = useNotify()
  const explain = useExplanation()
  const { data, error } = useQuery(sessionsReading)
  const settle = {
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsReading.queryKey }),
    onError: (failure: Error) => notify({ title: explain(failure).title, tone: "bad" })
  }
  const endOne = useMutation({
    mutationFn: (id: string) => ask("DELETE /panel/sessions/:id", { params: { id } }),
    ...settle,
    onSuccess: () => notify({ title: texts.profile.ended })
  })
  const endOthers = useMutation({
    mutationFn: () => ask("DELETE /panel/sessions", {}),
    ...settle,
    onSuccess: ({ ended }) => notify({ title: texts.profile.othersEnded(ended) })
  })
  const sessions = data?.sessions ?? []
  const others = sessions.filter(({ current }) => !current)
  const action = others.length > 1 && (
    <Button look="bad" isSmall isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
      {texts.profile.endOthers}
    </Button>
  )
  return (
    <Card title={texts.profile.sessions} text={texts.profile.sessionsText} action={action}>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={2} tall />}
      {sessions.length > 0 && (
        <ul className={rows["rows"]}>
          {sessions.map((entry) => (
            <SessionRow
              key={entry.id}
              entry={entry}
              isBusy={endOne.isPending && endOne.variables === entry.id}
              onEnd={() => endOne.mutate(entry.id)}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}

interface SessionRowProps {
  readonly entry: Entry
  readonly isBusy: boolean
  readonly onEnd: () => void
}

const SessionRow = ({ entry, isBusy, onEnd }: SessionRowProps) => {
  const { texts, language } = useWords()
  const now = useNow(60_000)
  const Icon = isHandheld(entry.userAgent) ? Smartphone : Monitor
  const device = deviceOf(entry.userAgent) ?? texts.profile.unknownDevice
  const seen = texts.profile.seen(ago(Date.parse(entry.seenAt), now, language))
  return (
    <li>
      <Icon size={22} aria-hidden className={rows["icon"]} />
      <span className={rows["words"]}>
        <span className={rows["name"]}>
          {device}
          {entry.current && <small>{texts.profile.current}</small>}
        </span>
        <span className={rows["quiet"]}>{[seen, entry.address].filter((part) => part !== null).join(" · ")}</span>
      </span>
      {!entry.current && (
        <Button look="plain" isSmall isBusy={isBusy} onClick={onEnd} aria-label={`${texts.profile.end}: ${device}`}>
          {texts.profile.end}
        </Button>
      )}
    </li>
  )
}

const ReferralCard = () => {
  const { texts } = useWords()
  const copy = useCopy()
  const { data, error } = useQuery(reading("GET /panel/referral", {}))
  return (
    <Card title={texts.profile.referral} text={texts.profile.referralText}>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={1} tall />}
      {data !== undefined && (
        <>
          <div className={styles["link"]}>
            <output aria-label={texts.profile.referralLink}>{data.link}</output>
            <Button look="second" isSmall onClick={() => copy(data.link)}>
              <Copy size={18} aria-hidden />
              {texts.common.copy}
            </Button>
          </div>
          <dl className={styles["facts"]}>
            <Fact name={texts.profile.brought} value={String(data.clients.length)} />
            <Fact name={texts.profile.earned} value={tenge(data.accrued)} />
            <Fact name={texts.profile.paidOut} value={tenge(data.paidOut)} />
          </dl>
        </>
      )}
    </Card>
  )
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
