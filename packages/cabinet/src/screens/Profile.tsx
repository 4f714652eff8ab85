/**
 * The person's own screen: who they are here, how the cabinet looks, where they are logged in, and who they have
 * brought.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { ago } from "@tolem/http-server/pages/Formats"
import { Monitor, Smartphone } from "lucide-react"
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
import { useNotify } from "../parts/Notices.tsx"
import { useNow } from "../parts/Now.ts"
import { Refused, useExplanation } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { ThemeSwitch } from "../parts/ThemeSwitch.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import styles from "./Profile.module.css"
import { EmailDialog } from "./profile/EmailDialog.tsx"
import { NameDialog } from "./profile/NameDialog.tsx"
import { Referral } from "./profile/Referral.tsx"

/** The screen. */
export const Profile = () => {
  const { texts } = useWords()
  useTitle(texts.profile.title)
  return (
    <div className={styles["screen"]}>
      <h1>{texts.profile.title}</h1>
      <Account />
      <Sessions />
      <Referral />
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
