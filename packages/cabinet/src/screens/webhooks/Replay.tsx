/** Sends the events of a period again: as many requests as that takes, one after another, until all are sent. */
import { isoDay } from "@tolem/http-server/pages/Formats"
import { type FormEvent, useEffect, useRef, useState } from "react"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { useGiven } from "../../app/Places.ts"
import { now } from "../../browser/Clock.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { CheckField } from "../../parts/Choice.tsx"
import { Field } from "../../parts/Field.tsx"
import { count } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import { useForgetDeliveries } from "./Delivery.ts"
import styles from "./Webhooks.module.css"

type Part = Answer<"POST /panel/orgs/:organizationId/webhook-endpoints/:id/replay">

interface Asked {
  readonly from: string
  readonly to?: string
  readonly failedOnly?: boolean
}

/** How far it is. `next`: with what it goes on; null once all are sent. */
interface Progress {
  readonly sent: number
  readonly next: Asked | null
  readonly isRunning: boolean
  readonly failure: unknown
}

/** The replay: begun, stopped after the request that is under way, and gone on with, also after a refusal. */
const useReplay = (endpointId: string) => {
  const { params, query } = useGiven()
  const forget = useForgetDeliveries()
  const [progress, setProgress] = useState<Progress | null>(null)
  const isWanted = useRef(false)
  // A screen that is left sends no further request.
  useEffect(
    () => () => {
      isWanted.current = false
    },
    []
  )

  const go = async (first: Asked, before: number) => {
    let next: Asked | null = first
    let sent = before
    isWanted.current = true
    try {
      while (next !== null && isWanted.current) {
        setProgress({ sent, next, isRunning: true, failure: null })
        const given = { params: { ...params, id: endpointId }, query, body: next as Asked }
        const part: Part = await ask("POST /panel/orgs/:organizationId/webhook-endpoints/:id/replay", given)
        sent += part.sent
        next = part.continueFrom === null ? null : { from: part.continueFrom }
      }
      setProgress({ sent, next, isRunning: false, failure: null })
    } catch (failure) {
      setProgress({ sent, next, isRunning: false, failure })
    }
    await forget()
  }
  return {
    progress,
    begin: (asked: Asked) => void go(asked, 0),
    stop: () => {
      isWanted.current = false
    },
    goOn: () => {
      if (progress?.next) void go(progress.next, progress.sent)
    }
  }
}

/** The form, and how far it is. */
export const Replay = ({ endpointId }: { readonly endpointId: string }) => {
  const hooks = useWebhooksTexts()
  const today = isoDay(now())
  const [from, setFrom] = useState("")
  const [to, setTo] = useState("")
  const [failedOnly, setFailedOnly] = useState(true)
  const [isWrong, setWrong] = useState(false)
  const { progress, begin, stop, goOn } = useReplay(endpointId)
  const isRunning = progress?.isRunning === true
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isRunning) return
    setWrong(from === "")
    if (from === "") event.currentTarget.querySelector("input")?.focus()
    else begin({ from, ...(to !== "" && { to }), failedOnly })
  }
  return (
    <Card title={hooks.replay} text={hooks.replayText}>
      <form className={styles["replay"]} onSubmit={submit} noValidate>
        <Field
          label={hooks.from}
          type="date"
          max={to === "" ? today : to}
          value={from}
          wrong={isWrong ? hooks.fromMissing : null}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <Field
          label={hooks.to}
          type="date"
          min={from}
          max={today}
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <CheckField
          label={hooks.failedOnly}
          hint={hooks.failedOnlyHint}
          checked={failedOnly}
          onChange={({ currentTarget }) => setFailedOnly(currentTarget.checked)}
        />
        <Button type="submit" look="second" isBusy={isRunning}>
          {hooks.replayDo}
        </Button>
      </form>
      {progress !== null && (
        <div className={styles["progress"]} role="status">
          {isRunning && <progress aria-label={hooks.replay} />}
          {isRunning && <span>{hooks.replaying(count(progress.sent))}</span>}
          {!isRunning && <span>{progress.sent === 0 ? null : hooks.replayed(count(progress.sent))}</span>}
          {!isRunning && progress.sent === 0 && progress.next === null && <span>{hooks.replayNone}</span>}
        </div>
      )}
      {progress !== null && progress.failure !== null && <Refused failure={progress.failure} />}
      {isRunning && (
        <Button look="plain" isSmall onClick={stop}>
          {hooks.replayStop}
        </Button>
      )}
      {progress !== null && !isRunning && progress.next !== null && (
        <Button look="plain" isSmall onClick={goOn}>
          {hooks.replayOn}
        </Button>
      )}
    </Card>
  )
}
