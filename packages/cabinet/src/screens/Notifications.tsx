/** What the person is told of the organization, in the mode that is looked at: each for themselves, by channel. */
import { Link } from "@tanstack/react-router"
import { useHere } from "../app/Organization.ts"
import { Card } from "../parts/Card.tsx"
import { Refused } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import type { NoticeKindName } from "../texts/NotificationsTexts.ts"
import { useKinds } from "./notifications/Kinds.ts"
import { type NoticeFacts, useNotices } from "./notifications/Notices.ts"
import { Telegram } from "./notifications/Telegram.tsx"
import { useNotificationsTexts } from "./notifications/Texts.ts"
import { Wishes } from "./notifications/Wishes.tsx"

/** The screen. */
export const Notifications = () => {
  const words = useNotificationsTexts()
  const { organizationId, name, mode } = useHere()
  const { data, error } = useNotices()
  const kinds = useKinds()
  const isKnown = data !== undefined && kinds !== null
  useTitle(words.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <div>
          <h1>{words.title}</h1>
          <p className={rows["quiet"]}>{words.about(name, mode)}</p>
        </div>
      </header>
      {error !== null && data === undefined && <Refused failure={error} />}
      {!isKnown && error === null && <Skeleton lines={6} tall />}
      {isKnown && <Letters key={`letters ${organizationId} ${mode}`} facts={data} kinds={kinds} />}
      {isKnown && data.chat.isOffered && <Telegram key={`chat ${organizationId} ${mode}`} facts={data} kinds={kinds} />}
    </div>
  )
}

interface LettersProps {
  readonly facts: NoticeFacts
  readonly kinds: ReadonlyArray<NoticeKindName>
}

const Letters = ({ facts: { email, hasLetters, letter }, kinds }: LettersProps) => {
  const words = useNotificationsTexts()
  if (!hasLetters) return <Card title={words.letters} text={words.noLetters} />
  return (
    <Card title={words.letters} text={email === null ? words.noEmail : words.lettersTo(email)}>
      {email === null ? (
        <Link to="/profile">{words.toProfile}</Link>
      ) : (
        <Wishes channel="letter" line={letter} kinds={kinds} />
      )}
    </Card>
  )
}
