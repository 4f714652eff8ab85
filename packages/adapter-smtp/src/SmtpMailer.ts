/** The core's `Mailer` over an SMTP server. */
import type { Readable } from "node:stream"
import { HandOver, type Letter, Mailer } from "@tolem/core/mail/Mailer"
import { Effect, Layer, Redacted } from "effect"

/** Settings of the connection. */
export interface Options {
  readonly host: string
  readonly port: number
  /** TLS from the first byte, as on port 465. Otherwise STARTTLS is demanded, unless `plain`. */
  readonly secure: boolean
  /** Neither TLS nor STARTTLS: for a server on this machine only. */
  readonly plain: boolean
  readonly credentials: { readonly user: string; readonly password: Redacted.Redacted } | null
  /** The sender: an address, or a name with one in angle brackets. */
  readonly from: string
  /** Time of each step: connecting, greeting, silence of the server. Default 15 s. */
  readonly timeoutMs?: number | undefined
  /** Time of a whole hand-over, which a server that answers slowly enough would outlast otherwise. Default 50 s. */
  readonly deadlineMs?: number | undefined
  /** Certificates to trust besides those of the system, PEM. */
  readonly ca?: string | undefined
}

const defaultTimeoutMs = 15_000
const defaultDeadlineMs = 50_000
const maxConnections = 3
/** A connection that is left open longer may be gone without a word, behind a firewall for one. */
const idleMs = 30_000

/** The mailer. Closing the layer closes its connections. */
export const layer = (options: Options): Layer.Layer<Mailer> =>
  Layer.effect(
    Mailer,
    Effect.map(
      Effect.acquireRelease(
        Effect.promise(() => open(options)),
        ({ transport }) => Effect.sync(() => transport.close())
      ),
      (opened) => ({ send: (letter: Letter) => send(opened, options, letter) })
    )
  )

/** Greets the server and logs in, without a letter. Answers the codes of what went wrong, or null. */
export const tryOut = (options: Options): Effect.Effect<string | null> =>
  Effect.acquireUseRelease(
    Effect.promise(() => open(options)),
    ({ transport }) =>
      Effect.promise(() =>
        transport.verify().then(
          () => null,
          (error: unknown) => reasonOf(error)
        )
      ),
    ({ transport }) => Effect.sync(() => transport.close())
  )

type Open = Awaited<ReturnType<typeof open>>

const open = async ({ host, port, secure, plain, credentials, timeoutMs = defaultTimeoutMs, ca }: Options) => {
  // Loaded here, as it takes room that a server without mail has other uses for.
  const { createTransport } = await import("nodemailer")
  const transport = createTransport({
    pool: true,
    maxConnections,
    idleTimeout: idleMs,
    // Retrying is the caller's decision: it records the attempt first.
    maxRequeues: 0,
    host,
    port,
    secure,
    requireTLS: !secure && !plain,
    ignoreTLS: plain,
    ...(credentials !== null && { auth: { user: credentials.user, pass: Redacted.value(credentials.password) } }),
    ...(ca !== undefined && { tls: { ca } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true
  })
  /** What letters that are being handed over are read from, by Message-ID. */
  const bodies = new Map<string, Readable>()
  transport.use("stream", (mail, done) => {
    const { messageId } = mail.data
    mail.message.processFunc((body) => {
      if (messageId !== undefined) bodies.set(messageId, body)
      return body
    })
    done()
  })
  return { transport, bodies }
}

const send = ({ transport, bodies }: Open, options: Options, { id, to, subject, text, html }: Letter) =>
  Effect.promise(async (interrupted) => {
    const { from, deadlineMs = defaultDeadlineMs } = options
    const domain = /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? "localhost"
    // The same for every attempt, so that a server that sees it twice may tell.
    const messageId = `<${id}@${domain}>`
    try {
      await transport.sendMail({
        from,
        to: { name: "", address: to },
        subject,
        text,
        html,
        messageId,
        headers: { "Auto-Submitted": "auto-generated" },
        // Ends the connection too, which would be lost to other letters otherwise.
        signal: AbortSignal.any([interrupted, AbortSignal.timeout(deadlineMs)])
      })
      return HandOver.Taken()
    } catch (error) {
      // Nothing is read of a letter before the server has agreed to DATA.
      return outcomeOf(error, bodies.get(messageId)?.readableDidRead === true)
    } finally {
      bodies.delete(messageId)
    }
  })

const member = (error: unknown, name: string): unknown =>
  typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined

const partsOf = (error: unknown) => ["code", "responseCode", "command"].map((name) => member(error, name))

const reasonOf = (error: unknown): string => {
  const told = partsOf(error).filter((part) => typeof part === "string" || typeof part === "number")
  return told.length === 0 ? "failure" : told.join(" ")
}

/**
 * What a failure means. Codes are told, texts are not: a server may repeat what it was sent. Without an answer
 * it is unknown whether a letter was taken whose bytes have begun to leave.
 */
const outcomeOf = (error: unknown, hasBegun: boolean): HandOver => {
  const [code, status, command] = partsOf(error)
  const reason = reasonOf(error)
  const isAnswer = typeof status === "number" && command !== "CONN"
  if (!isAnswer) return hasBegun ? HandOver.Unknown({ reason }) : HandOver.Rejected({ retryable: true, reason })
  // A password or a certificate may be put right; any other answer of 500 and above stays what it is.
  return HandOver.Rejected({ retryable: status < 500 || code === "EAUTH" || code === "ETLS", reason })
}
