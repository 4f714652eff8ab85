/** A letter to a customer about an invoice, as a row that falls due. */
import { Data, Result } from "effect"
import type { InvoiceId, MailId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"

/** `invoice`: here is what to pay. `receipt`: it was paid. */
export type MailKind = "invoice" | "receipt"

/** A letter. There is one of a kind for an invoice, ever; it may be sent again. Instants are epoch milliseconds. */
export interface Mail {
  readonly id: MailId
  readonly kind: MailKind
  readonly organizationId: OrganizationId
  readonly mode: Mode
  readonly invoiceId: InvoiceId
  readonly recipient: string
  /**
   * `sending`: it is being handed over; found so after its lease, it may have gone or not: the finder makes
   * it `unknown` rather than send it twice. `kept`: it may be looked at, and is never sent; `reason` says why.
   */
  readonly status: "pending" | "sending" | "sent" | "failed" | "unknown" | "kept"
  /** How often it was handed over, or was about to be; since it was last sent again. */
  readonly attempts: number
  /** How often the merchant has had it sent again. */
  readonly resent: number
  /** Why the last attempt failed, or why it is kept; for people. */
  readonly reason: string | null
  readonly dueAt: number | null
  readonly createdAt: number
  readonly completedAt: number | null
}

/** What can happen to a letter. `reason` is for people. */
export type MailCommand = Data.TaggedEnum<{
  /** It is about to be handed over. */
  Begin: object
  /** It was taken. */
  Take: object
  /** It was not taken; `retryable` says whether trying later makes sense. */
  Reject: { readonly reason: string; readonly retryable: boolean }
  /** It may have been taken. */
  Doubt: { readonly reason: string }
  /** It must not leave. */
  Keep: { readonly reason: string }
  /** There is nothing to send any more. */
  Drop: { readonly reason: string }
  /** The merchant has it sent again, whatever became of it. */
  Again: object
}>
/** Constructors of commands. */
export const MailCommand = Data.taggedEnum<MailCommand>()

/** What happens to a letter in its present state only. */
export class MailNotInState extends Data.TaggedError("MailNotInState")<{ readonly status: Mail["status"] }> {}

/** What `command` makes of the letter. Pure: the caller writes it, or drops what was refused. */
export const decideMail = (
  mail: Mail,
  command: MailCommand,
  { now, retryWaitsMs }: { readonly now: number; readonly retryWaitsMs: ReadonlyArray<number> }
): Result.Result<Mail, MailNotInState> => {
  if (!needed[command._tag].includes(mail.status)) return Result.fail(new MailNotInState({ status: mail.status }))
  const end = (status: Mail["status"], reason: string | null) =>
    Result.succeed({ ...mail, status, reason, dueAt: null, completedAt: now })
  switch (command._tag) {
    case "Begin":
      return Result.succeed({ ...mail, status: "sending", attempts: mail.attempts + 1 })
    case "Take":
      return end("sent", null)
    case "Reject": {
      const waitMs = command.retryable ? retryWaitsMs[mail.attempts - 1] : undefined
      if (waitMs === undefined) return end("failed", command.reason)
      return Result.succeed({ ...mail, status: "pending", reason: command.reason, dueAt: now + waitMs })
    }
    case "Doubt":
      return end("unknown", command.reason)
    case "Keep":
      return end("kept", command.reason)
    case "Drop":
      return end("failed", command.reason)
    case "Again":
      return Result.succeed({
        ...mail,
        status: "pending",
        attempts: 0,
        resent: mail.resent + 1,
        reason: null,
        dueAt: now,
        completedAt: null
      })
  }
}

const needed: Readonly<Record<MailCommand["_tag"], ReadonlyArray<Mail["status"]>>> = {
  Begin: ["pending"],
  Keep: ["pending"],
  Drop: ["pending"],
  Take: ["sending"],
  Reject: ["sending"],
  Doubt: ["sending"],
  Again: ["sent", "failed", "unknown", "kept"]
}

/** Most times that a letter is sent again: its recipient has not asked for it. */
export const maxResent = 5
