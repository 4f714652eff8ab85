/** `tolem open` */
import { spawn } from "node:child_process"
import { platform } from "node:process"
import { Config, Effect, Stdio } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed, UsageError } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"

const places: Readonly<Record<string, string>> = { cabinet: "/cabinet/", docs: "/docs" }

const pathOf = (what: string): string | undefined =>
  places[what] ?? (/^inv_[0-9a-z]{1,60}$/.test(what) ? `/pay/${what}` : undefined)

const timeoutMs = 10_000

/** Fails if the server does not answer there, or has no such page. */
const found = (address: string) =>
  Effect.gen(function* () {
    const status = yield* Effect.tryPromise({
      try: async (signal) => {
        const given = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
        const response = await fetch(address, { headers: { accept: "text/html" }, signal: given })
        await response.body?.cancel()
        return response.status
      },
      catch: () =>
        new CommandFailed({
          error: "server_unreachable",
          message: `There is no answer at ${address}. Start a server, or name its address with --url.`
        })
    })
    const message = `The server has no page ${address} (it answers ${status}).`
    if (status >= 400) return yield* new CommandFailed({ error: "page_not_found", message })
  })

/** The program that opens addresses: the one of BROWSER, or what the system has for it. */
const opener = (browser: string): readonly [string, ...ReadonlyArray<string>] => {
  if (browser !== "") return [browser]
  if (platform === "darwin") return ["open"]
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"]
}

/** Whether the address was handed to a browser. A machine without one is no fault. */
const handed = (address: string, browser: string) =>
  Effect.callback<boolean>((resume) => {
    const [program, ...args] = opener(browser)
    const child = spawn(program, [...args, address], { stdio: "ignore", detached: true })
    child.once("error", () => resume(Effect.succeed(false)))
    child.once("spawn", () => {
      child.unref()
      resume(Effect.succeed(true))
    })
  })

const flags = {
  url: Flags.serverUrl,
  print: Flag.Boolean("print").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Only print the address, as where standard output is no terminal")
  ),
  what: Argument.String("what").pipe(
    Argument.withDescription("cabinet, docs, or the id of an invoice, for its pay page"),
    Argument.withDefault("cabinet")
  )
}

/** Opens a page of a running server in the browser, and prints its address. */
export const openCommand = Command.make("open", flags, ({ url, print, what }) =>
  Effect.gen(function* () {
    const path = pathOf(what)
    if (path === undefined) {
      return yield* new UsageError({ message: `"${what}" is neither cabinet nor docs nor the id of an invoice.` })
    }
    const address = url.replace(/\/+$/, "") + path
    yield* found(address)
    const output = yield* Output
    const isShown = yield* (yield* Stdio.Stdio).stdoutIsTerminal
    const browser = yield* Effect.orDie(Config.String("BROWSER").pipe(Config.withDefault("")))
    const opened = !print && !output.json && isShown && (yield* handed(address, browser))
    yield* output.print({ json: { url: address, opened }, text: address })
  })
).pipe(
  Command.withDescription(
    "Open the cabinet, the documents or an invoice's pay page in the browser, and print where it is"
  ),
  Command.withShortDescription("Open the cabinet, or an invoice's pay page")
)
