/** Telegram: the chat is begun with a code, and then is a channel as another. */
import { useMutation } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { ask } from "../../api/Session.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Pill } from "../../parts/Status.tsx"
import type { NoticeKindName } from "../../texts/NotificationsTexts.ts"
import { ChatLink } from "./ChatLink.tsx"
import type { NoticeFacts } from "./Notices.ts"
import styles from "./Notifications.module.css"
import { useNotificationsTexts } from "./Texts.ts"
import { Wishes } from "./Wishes.tsx"

interface TelegramProps {
  readonly facts: NoticeFacts
  readonly kinds: ReadonlyArray<NoticeKindName>
}

/** The part of the screen. */
export const Telegram = ({ facts: { chat, telegram }, kinds }: TelegramProps) => {
  const words = useNotificationsTexts()
  const notify = useNotify()
  const wasLinked = useRef(chat.isLinked)
  const { isLinked, end } = chat
  useEffect(() => {
    if (isLinked && !wasLinked.current) notify({ title: words.linked, tone: "good" })
    wasLinked.current = isLinked
  }, [isLinked, notify, words])
  return (
    <Card
      title={words.telegram}
      text={words.telegramText}
      action={isLinked && <Pill tone="good">{words.isLinked}</Pill>}
    >
      {isLinked ? (
        <>
          <Wishes channel="telegram" line={telegram} kinds={kinds} />
          <End />
        </>
      ) : (
        <ChatLink end={end} />
      )}
    </Card>
  )
}

const End = () => {
  const words = useNotificationsTexts()
  const [isAsked, setAsked] = useState(false)
  return (
    <div className={styles["end"]}>
      <Button look="bad" isSmall onClick={() => setAsked(true)}>
        {words.end}
      </Button>
      {isAsked && <EndDialog onClose={() => setAsked(false)} />}
    </div>
  )
}

const EndDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const words = useNotificationsTexts()
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const end = useMutation({
    mutationFn: () => ask("DELETE /panel/orgs/:organizationId/chat", { params, query }),
    onSuccess: () => {
      notify({ title: words.ended })
      onClose()
    },
    // The chat is the person's, wherever it is looked at.
    onSettled: () => forget("GET /panel/orgs/:organizationId/notices")
  })
  return (
    <Dialog title={words.endTitle} text={words.endText} onClose={onClose}>
      {end.error !== null && <Refused failure={end.error} />}
      <div className={rows["actions"]}>
        <Button look="bad" isBusy={end.isPending} onClick={() => end.mutate()}>
          {words.end}
        </Button>
      </div>
    </Dialog>
  )
}
