/** Checks of files: those of the database, the room on their disk, and the certificate that is served. */
import { X509Certificate } from "node:crypto"
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs"
import { isIP } from "node:net"
import { dirname, resolve } from "node:path"
import { Clock, Effect, Option } from "effect"
import * as TlsFiles from "../../http/TlsFiles.ts"
import type * as Database from "../kit/Database.ts"
import { CommandFailed } from "../kit/Failures.ts"
import { faulty, passed, type Told, warned, worst } from "./Remark.ts"

/** Where data, logs and keys are written; the nearest folder that is there already. */
const folderOf = (location: Database.Location): string | null => {
  const file = location.kind === "sqlite" ? location.file : location.keyFile
  if (file === null) return null
  let folder = dirname(resolve(file))
  while (!existsSync(folder)) folder = dirname(folder)
  return folder
}

/** Whether the service, as the user of this command, can write where it must, and others cannot. */
export const files = (location: Database.Location): Effect.Effect<Told> =>
  Effect.sync(() => {
    const folder = folderOf(location)
    if (folder === null) return passed("none are kept")
    const user = "Run this command as the service's user, and give that user the folder: chown"
    if (!isWritable(folder)) return faulty(`${folder} cannot be written`, `${user} -R USER '${folder}'`)
    if (location.kind !== "sqlite" || location.file === null) return passed(`${folder} can be written`)
    const there = ["", "-wal", "-shm"].map((suffix) => `${location.file}${suffix}`).filter((name) => existsSync(name))
    const shut = there.find((name) => !isWritable(name))
    if (shut !== undefined) return faulty(`${shut} cannot be written`, `${user} USER '${shut}'`)
    if (isOpen(folder, 0o002)) {
      return faulty(`others can put files of theirs in the place of those in ${folder}`, `chmod o-w '${folder}'`)
    }
    const open = there.filter((name) => isOpen(name, 0o077))
    return open.length === 0
      ? passed(`${folder} and the files are the service's alone`)
      : warned(`others can read ${open.join(", ")}`, `chmod 600 ${open.map((name) => `'${name}'`).join(" ")}`)
  })

// Windows has no such modes.
const isOpen = (path: string, to: number): boolean => process.platform !== "win32" && (statSync(path).mode & to) !== 0

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A write-ahead log, and what sorting takes. */
const leastBytes = 200e6

/**
 * Whether there is room: at least `least` bytes to work with, and as much as the data for a backup or an upgrade. What
 * PostgreSQL writes to is not seen from here.
 */
export const disk = (location: Database.Location, least = leastBytes): Effect.Effect<Told> =>
  Effect.sync(() => {
    const folder = folderOf(location)
    if (folder === null || location.kind === "postgres")
      return passed("that of the data is not seen from here: watch it there")
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const data = statSync(location.file ?? "", { throwIfNoEntry: false })?.size ?? 0
    const what = `${megabytes(free)} free at ${folder}`
    if (free < least) return faulty(`${what}, less than ${megabytes(least)}`, "Make room, or move the data")
    return free < 2 * data
      ? warned(`${what}, for ${megabytes(data)} of data`, "Make room for the data twice: upgrades and backups need it")
      : passed(what)
  })

const megabytes = (bytes: number) => `${Math.floor(bytes / 1e6)} MB`

const dayMs = 86_400_000
/** Renewals run in time to fail once or twice. */
const soonDays = 14

/** The certificate and key of the service, and whether customers who open `baseUrl` are shown it. */
export const tls = (
  given: { readonly certificateFile: Option.Option<string>; readonly keyFile: Option.Option<string> },
  baseUrl: string | undefined
) =>
  Effect.gen(function* () {
    const certificateFile = Option.getOrUndefined(given.certificateFile)
    const keyFile = Option.getOrUndefined(given.keyFile)
    if (certificateFile === undefined && keyFile === undefined) return passed("the service speaks plain HTTP itself")
    if (certificateFile === undefined || keyFile === undefined) {
      const message = "--tls-cert and --tls-key belong together: name both, or none"
      return yield* new CommandFailed({ error: "tls_unusable", message })
    }
    const { certificate } = yield* Effect.mapError(
      TlsFiles.read({ certificateFile, keyFile }),
      // The line begins with what it is about.
      ({ message }) => new CommandFailed({ error: "tls_unusable", message: message.replace(/^TLS: /, "") })
    )
    const read = new X509Certificate(certificate)
    const now = yield* Clock.currentTimeMillis
    const [from, until] = [Date.parse(read.validFrom), Date.parse(read.validTo)]
    const renew = "Renew it: the service reads it again by itself"
    if (now < from) return faulty("the certificate is not valid yet", "Look at the clock of this machine")
    if (now > until) return faulty("the certificate is past its time: clients refuse it", renew)
    const days = Math.floor((until - now) / dayMs)
    const host = URL.parse(baseUrl ?? "")?.hostname.replace(/^\[|\]$/g, "")
    const isNamed = host === undefined || (isIP(host) === 0 ? read.checkHost(host) : read.checkIP(host)) !== undefined
    return worst([
      passed(`good for ${days} days`),
      ...(isNamed ? [] : [faulty(`the certificate does not name ${host}`, "Get one for the host of --base-url")]),
      ...(days < soonDays ? [warned(`the certificate is good for ${days} more days`, renew)] : []),
      ...(isOpen(keyFile, 0o077) ? [warned(`others can read ${keyFile}`, `chmod 600 '${keyFile}'`)] : [])
    ])
  })
