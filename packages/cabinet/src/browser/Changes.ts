/** What the server tells of an organization as it happens, over one stream for a window that is looked at. */
import { later, now } from "./Clock.ts"
import { serverPath } from "./Place.ts"

/** One change: of what, and of which; `id` null: of any of them. `reset`: of anything. */
export interface Change {
  readonly type: "invoice" | "refund" | "connection" | "endpoint" | "reset"
  readonly id: string | null
}

/** Changes that come together are told together. */
const togetherMs = 250
/** A busy shop is not read anew more often than this. */
const atMostEveryMs = 2000
/** After a refusal: too many windows, or a server that is going down. */
const againMs = 30_000

/** What is done about changes. */
export interface ChangeListener {
  readonly onChanges: (changes: ReadonlyArray<Change>) => void
  /**
   * From now on all is told, and anything may have changed before: answers what has all of that read anew that was
   * asked for until now.
   */
  readonly onOpen: () => () => void
}

/**
 * Tells what changes. A window that is hidden hears nothing, so that it holds no connection of the few that a browser
 * has; when it is seen again, and after a refusal, the stream is opened anew. The answer ends it.
 */
export const watchChanges = (
  organizationId: string,
  mode: string,
  { onChanges, onOpen }: ChangeListener
): (() => void) => {
  const url = `${serverPath}/panel/orgs/${encodeURIComponent(organizationId)}/changes?mode=${mode}`
  let stream: EventSource | undefined
  let waiting: ReadonlyArray<Change> = []
  let toldAt = 0
  let hasMissed = true
  let forgoTelling = () => {}
  let forgoReading = () => {}
  let forgoOpening = () => {}

  const tell = () => {
    const changes = waiting
    waiting = []
    toldAt = now()
    onChanges(changes)
  }
  const add = (change: Change) => {
    if (waiting.length === 0) forgoTelling = later(Math.max(togetherMs, toldAt + atMostEveryMs - now()), tell)
    waiting = [...waiting, change]
  }
  const close = () => {
    forgoOpening()
    stream?.close()
    stream = undefined
  }
  const open = () => {
    close()
    const opened = new EventSource(url)
    stream = opened
    opened.onopen = () => {
      if (!hasMissed) return
      hasMissed = false
      forgoReading()
      forgoReading = later(togetherMs, onOpen())
    }
    opened.onmessage = ({ data }: MessageEvent<string>) => add(JSON.parse(data))
    opened.onerror = () => {
      // A stream that ended goes on by itself where it was; one that was refused does not.
      if (opened.readyState !== EventSource.CLOSED) return
      hasMissed = true
      forgoOpening = later(againMs, open)
    }
  }
  const follow = () => {
    if (document.visibilityState === "visible") return open()
    hasMissed = true
    return close()
  }
  document.addEventListener("visibilitychange", follow)
  follow()
  return () => {
    document.removeEventListener("visibilitychange", follow)
    forgoTelling()
    forgoReading()
    close()
  }
}
