/** Begins the chat: a fresh code, the way to the bot, and the wait until the person has been there. */
import { useMutation } from "@tanstack/react-query"
import { minute } from "@tolem/http-server/pages/Formats"
import { Copy, Send } from "lucide-react"
import { askFresh } from "../../api/Confirmation.ts"
import type { Answer } from "../../api/Contract.ts"
import { useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { CodeText } from "../../parts/CodeText.tsx"
import { useNow } from "../../parts/Now.ts"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { useCopy } from "../../parts/Share.tsx"
import { useWords } from "../../parts/Words.tsx"
import { type NoticeFacts, useNotices } from "./Notices.ts"
import styles from "./Notifications.module.css"
import { useNotificationsTexts } from "./Texts.ts"

const secondMs = 1000

/** The way there. `end`: why the chat before has ended. */
export const ChatLink = ({ end }: Pick<NoticeFacts["chat"], "end">) => {
  const words = useNotificationsTexts()
  const { params, query } = useGiven()
  const invite = useMutation({
    mutationFn: () => askFresh("POST /panel/orgs/:organizationId/chat", { params, query })
  })
  const { data, error, isPending, mutate } = invite
  return (
    <div className={styles["linking"]}>
      {data === undefined ? (
        <>
          {end !== null && <p className={styles["bad"]}>{words.ends[end]}</p>}
          <p className={rows["quiet"]}>{words.linkText}</p>
        </>
      ) : (
        <Invitation key={data.until} invitation={data} />
      )}
      {error !== null && <Refused failure={error} />}
      <div className={rows["actions"]}>
        <Button look={data === undefined ? "main" : "plain"} isSmall isBusy={isPending} onClick={() => mutate()}>
          {data === undefined ? words.link : words.again}
        </Button>
      </div>
    </div>
  )
}

interface InvitationProps {
  readonly invitation: Answer<"POST /panel/orgs/:organizationId/chat">
}

const Invitation = ({ invitation: { url, command, until } }: InvitationProps) => {
  const words = useNotificationsTexts()
  const at = Date.parse(until)
  const isOver = useNow(secondMs) >= at
  if (isOver) {
    return (
      <p className={styles["bad"]} role="status">
        {words.over}
      </p>
    )
  }
  return <Open url={url} command={command} at={at} />
}

const Open = ({ url, command, at }: { readonly url: string; readonly command: string; readonly at: number }) => {
  const words = useNotificationsTexts()
  const { texts } = useWords()
  const copy = useCopy()
  // Asked often only while there is something to wait for.
  useNotices(2 * secondMs)
  return (
    <>
      <a className={styles["open"]} href={url} target="_blank" rel="noreferrer">
        <Send size={18} aria-hidden />
        {words.open}
      </a>
      <p className={rows["quiet"]}>{words.command}</p>
      <div className={styles["command"]}>
        <CodeText name={words.command} text={command} />
        <Button look="plain" isSmall onClick={() => copy(command)}>
          <Copy size={18} aria-hidden />
          {texts.common.copy}
        </Button>
      </div>
      <p className={rows["quiet"]} role="status">
        {words.waits} {words.until(minute(at))}
      </p>
    </>
  )
}
