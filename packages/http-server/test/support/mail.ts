/** A service whose letters go to a mail server of this machine. */
import * as SmtpMailer from "@tolem/adapter-smtp/SmtpMailer"
import { emailChannel } from "@tolem/core/login/CodeChannel"
import { Mailer } from "@tolem/core/mail/Mailer"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { type Given, start } from "./service.ts"
import { receive } from "./smtp.ts"

/** Starts both. The channel of its logins is e-mail, unless others are given. */
export const mailWorld = async (more: Given = {}, { mute = false } = {}) => {
  const post = await receive({ mute })
  const scope = Scope.makeUnsafe()
  const options = { host: "127.0.0.1", port: post.port, secure: false, plain: true, credentials: null }
  const layer = SmtpMailer.layer({ ...options, from: "Shop <shop@example.kz>" })
  const mailer = Context.get(await Effect.runPromise(Layer.buildWithScope(layer, scope)), Mailer)
  const service = await start({ mailer, channels: [emailChannel], ...more })
  const stop = async () => {
    await service.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await post.stop()
  }
  return { post, service, stop }
}
