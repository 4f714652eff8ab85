/** What the server tells of open invoices as it happens, over the stream that their pay pages have too. */
import { serverPath } from "./Place.ts"

const againMs = 3000

/**
 * Calls back at each change of an invoice, and every three seconds while no stream comes through. The answer ends it.
 */
export const watchInvoice = (id: string, onChange: () => void): (() => void) => {
  let timer: ReturnType<typeof setInterval> | undefined
  let seen: string | undefined
  const stream = new EventSource(`${serverPath}/pay/${encodeURIComponent(id)}/changes`)
  const fall = () => {
    timer ??= setInterval(onChange, againMs)
  }
  stream.onmessage = ({ data }: MessageEvent<string>) => {
    clearInterval(timer)
    timer = undefined
    const told: { readonly seen?: string } = JSON.parse(data)
    // The first message tells how things are: they may have changed between the reading and now.
    if (told.seen !== seen) onChange()
    seen = told.seen
  }
  stream.onerror = fall
  return () => {
    stream.close()
    clearInterval(timer)
  }
}
