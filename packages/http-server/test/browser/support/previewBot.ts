/** Programs that open a link before its receiver does. */
import { request } from "node:http"

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36"
const page = { accept: "text/html,application/xhtml+xml", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }

/** Messengers, scanners of mail, and browsers that load what might be opened next. */
const visits: ReadonlyArray<readonly [method: string, headers: Readonly<Record<string, string>>]> = [
  ["HEAD", { "user-agent": "WhatsApp/2.24.8 A" }],
  ["GET", { "user-agent": "TelegramBot (like TwitterBot)", accept: "text/html" }],
  ["GET", { ...page, "user-agent": browser, "sec-purpose": "prefetch;prerender" }]
]

// Not by `fetch`, which has its own mind about such headers.
const visit = (url: string, method: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, { method, headers, agent: false }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0))
    })
      .once("error", reject)
      .end()
  })

/** Opens a link as all of them do, one after another; answers the statuses. */
export const preview = async (url: string): Promise<ReadonlyArray<number>> => {
  const statuses: Array<number> = []
  for (const [method, headers] of visits) statuses.push(await visit(url, method, headers))
  return statuses
}
