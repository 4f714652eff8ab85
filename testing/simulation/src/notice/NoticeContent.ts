/** What a message to a member says, read as a person reads it. The members of a simulation choose English. */
import type { TroubleKind } from "@tolem/core/notice/Gathered"
import { noticeWords } from "@tolem/core/notice/message/NoticeWords"
import type { Mode } from "@tolem/core/value/Mode"

/** A message as it was understood. */
export interface NoticeContent {
  readonly organization: string
  readonly mode: Mode
  /** How many payments it tells of, late ones among them. */
  readonly payments: number
  /** The merchant's own numbers of those that it names. */
  readonly names: ReadonlyArray<string>
  /** How many payments an earlier message may have told of. */
  readonly doubted: number
  readonly troubles: ReadonlyArray<TroubleKind>
  /** Lines that say nothing of the kind. */
  readonly strange: ReadonlyArray<string>
}

const words = noticeWords.en
const money = "[\\d\\u00a0,]+\\u00a0₸"
const heads = `(?:${words.paid}|${words.late})`
const manyPayments = new RegExp(`^${heads}: (\\d+) payments?, ${money}$`)
const onePayment = new RegExp(`^${heads}: ${money}(?:, (.+))?$`)
const namedPayment = new RegExp(`^• ${money}(?:, (.+))?$`)
const earlier = new RegExp(`^An earlier message may not have arrived: (\\d+) payments?, ${money}; \\d+ troubles?$`)
const sandbox = ` (${words.sandbox})`

const troubleOf = (line: string): TroubleKind | undefined => {
  const kinds = Object.keys(words.troubles) as ReadonlyArray<TroubleKind>
  return kinds.find((kind) => line === words.troubles[kind] || line.startsWith(`${words.troubles[kind]}: `))
}

/** Reads the text of a letter, or of a message in a chat. */
export const readNotice = (text: string): NoticeContent => {
  const [head = "", ...rest] = text.split("\n")
  const isSandbox = head.endsWith(sandbox)
  const content = { payments: 0, doubted: 0 }
  const names: Array<string> = []
  const troubles: Array<TroubleKind> = []
  const strange: Array<string> = []
  for (const line of rest.filter((each) => each !== "" && each !== words.stop && !each.startsWith("http"))) {
    const many = manyPayments.exec(line)
    const one = onePayment.exec(line)
    const named = namedPayment.exec(line)
    const doubt = earlier.exec(line)
    const trouble = troubleOf(line)
    if (many !== null) content.payments += Number(many[1])
    else if (one !== null) content.payments++
    else if (doubt !== null) content.doubted += Number(doubt[1])
    else if (trouble !== undefined) troubles.push(trouble)
    else if (named === null && !/^• \d+ more$/.test(line)) strange.push(line)
    const name = one?.[1] ?? named?.[1]
    if (name !== undefined) names.push(name)
  }
  return {
    ...content,
    organization: isSandbox ? head.slice(0, -sandbox.length) : head,
    mode: isSandbox ? "sandbox" : "live",
    names,
    troubles,
    strange
  }
}
