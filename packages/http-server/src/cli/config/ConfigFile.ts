/**
 * The configuration file: found in the working folder or named by `--config`. It is a module, and runs with the rights
 * of the command. What is wrong with it is one sentence that says where.
 */
import { stripTypeScriptTypes } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { SettingsPart } from "@tolem/core/engine/Settings"
import { tariffOf } from "@tolem/core/merchant/TariffPlan"
import { Effect, FileSystem, Option, Path } from "effect"
import { GlobalFlag } from "effect/cli"
import type { TolemConfig } from "../../Config.ts"
import { UsageError } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { faultOf } from "./ConfigCheck.ts"
import { lineOf } from "./ConfigLines.ts"
import { configNames, configVariable } from "./ConfigNames.ts"

/** `--config`, taken by every command that makes an engine. */
export const ConfigFlag = GlobalFlag.Setting("config")({
  flag: Flags.optional({
    ...Flags.ofText("config", "FILE"),
    name: configVariable,
    description: "File with parts and settings of the server; default tolem.config.ts (.js, .mjs), if it is here"
  })
})

/** What the file says, and what it is called; nothing if there is none. */
export interface Configuration extends TolemConfig {
  readonly file: string | null
  /** Its settings, with the tariffs among them. */
  readonly settings: SettingsPart
}

/** The configuration of this command. Fails with a `UsageError` if there is a file and it cannot be used. */
export const configuration = Effect.gen(function* () {
  const file = yield* find
  const config = file === undefined ? {} : yield* read(file)
  const found: Configuration = { ...config, file: file ?? null, settings: settingsOf(config) }
  return found
})

const find = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const named = Option.getOrUndefined(yield* ConfigFlag)
  if (named !== undefined) {
    return (yield* isFile(fs, named)) ? named : yield* wrong(named, "there is no such file; see --config")
  }
  const [found, other] = yield* Effect.filter(configNames, (name) => isFile(fs, name))
  return other === undefined ? found : yield* wrong(`${found} and ${other}`, "there may be one of them only")
})

const isFile = (fs: FileSystem.FileSystem, name: string) =>
  Effect.orElseSucceed(
    Effect.map(fs.stat(name), ({ type }) => type === "File"),
    () => false
  )

const read = Effect.fnUntraced(function* (file: string) {
  const path = (yield* Path.Path).resolve(file)
  const text = yield* (yield* FileSystem.FileSystem)
    .readFileString(path)
    .pipe(Effect.catchTag("PlatformError", ({ reason }) => wrong(file, `cannot be read: ${reason._tag}`)))
  const module = yield* Effect.tryPromise({
    try: (): Promise<{ readonly default?: unknown }> => import(pathToFileURL(path).href),
    catch: (error) => thrown(error, { file, path, text })
  })
  const config = module.default
  const fault = faultOf(config)
  if (fault === undefined) return config as TolemConfig
  const { path: members, what } = fault
  const line = lineOf(text, members)
  const place = line === undefined ? file : `${file}:${line}`
  return yield* wrong(place, members.length === 0 ? what : `${shown(members)} ${what}`)
})

const shown = ([head, ...rest]: ReadonlyArray<string>): string =>
  [head, ...rest.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))].join("")

const wrong = (place: string, what: string) => new UsageError({ message: `${place}: ${what}` })

interface Source {
  readonly file: string
  readonly path: string
  readonly text: string
}

/** What was thrown while the file was read or run: where, and in its own words, without the stack. */
const thrown = (error: unknown, { file, path, text }: Source): UsageError => {
  if (!(error instanceof Error)) return wrong(file, `has thrown ${typeof error === "string" ? error : typeof error}`)
  const stack = `${error.stack}`
  const [message = ""] = error.message.split("\n")
  const own = placesIn(stack).find((place) => place.path === path)
  const [other] = own === undefined ? placesIn(stack) : []
  if (own === undefined && other !== undefined && !other.path.includes("node_modules")) {
    return wrong(`${other.path}:${other.line}`, `${message} (imported by ${file})`)
  }
  const line = own?.line ?? (error instanceof SyntaxError ? syntaxLineOf(text) : undefined)
  return wrong(line === undefined ? file : `${file}:${line}`, message)
}

/** The places that a stack names, innermost first: `file:line` at its head, and one in each of its lines. */
const placesIn = (stack: string): ReadonlyArray<{ readonly path: string; readonly line: number }> =>
  Array.from(stack.matchAll(/^(?:.*?\(|\s*at (?:async )?)?(file:\/\/[^\s()]+?|\/[^\s():]+):(\d+)/gm), (match) => {
    const [, place = "", line = ""] = match
    return { path: place.startsWith("file:") ? fileURLToPath(place) : place, line: Number(line) }
  })

/** Where a text is no program, if it can be told: of a module in JavaScript the error itself does not say. */
const syntaxLineOf = (text: string): number | undefined => {
  const { emitWarning } = process
  // The parser is still marked as experimental, and says so on standard error.
  process.emitWarning = () => {}
  try {
    stripTypeScriptTypes(text)
    return undefined
  } catch (error) {
    const line = error instanceof Error ? /:(\d+)$/m.exec(`${error.stack?.split("\n")[0]}`)?.[1] : undefined
    return line === undefined ? undefined : Number(line)
  } finally {
    process.emitWarning = emitWarning
  }
}

const settingsOf = ({ settings = {}, tariffs }: TolemConfig): SettingsPart => {
  if (tariffs === undefined) return settings
  const ours =
    tariffs === "none"
      ? { enforced: false }
      : { catalogue: tariffs.map(({ code, name, monthlyLimit, ...more }) => tariffOf(code, name, monthlyLimit, more)) }
  return { ...settings, tariffs: { ...settings.tariffs, ...ours } }
}
