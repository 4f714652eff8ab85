/** Checks of the requests about form hooks. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { optionalOrigins } from "../merchant/SiteOrigins.ts"
import { isGiven, isObject, optionalLine, optionalUrl } from "../value/Checks.ts"
import { knownFields } from "./FormFields.ts"
import { type FormHook, HookStatus } from "./FormHook.ts"

/** Members of a patch, for those who write one in TypeScript; `checkHookPatch` says what their values may be. */
export type HookChanges = {
  readonly name?: string | undefined
  readonly successUrl?: string | null | undefined
  readonly failUrl?: string | null | undefined
  readonly status?: HookStatus | undefined
  /** At most ten, as `https://shop.kz`; empty or null: any site. */
  readonly allowedOrigins?: ReadonlyArray<string> | null | undefined
  /** The name of a field that people do not see. */
  readonly honeypot?: string | null | undefined
}

/** The same of a create request; see `checkHook`. */
export type HookRequest = HookChanges & { readonly name: string }

/** What a merchant asked for, checked. */
export type HookDraft = Pick<FormHook, "name" | "successUrl" | "failUrl" | "status" | "allowedOrigins" | "honeypot">

/** The most characters of a name. */
export const maxHookName = 100

/** A member of a request for a hook breaks its rule. */
export type HookRefused = FieldRefused<
  "invalid_json" | "invalid_name" | "invalid_url" | "invalid_status" | "invalid_allowed_origins" | "invalid_honeypot"
>

/** The hook that `body` asks for. */
export const checkHook = (body: unknown): Result.Result<HookDraft, HookRefused> =>
  Result.gen(function* () {
    if (!isObject(body)) return yield* Result.fail("invalid_json" as const)
    return {
      name: yield* checkName(body["name"]),
      successUrl: yield* optionalUrl(body["successUrl"]),
      failUrl: yield* optionalUrl(body["failUrl"]),
      status: isGiven(body["status"]) ? yield* checkStatus(body["status"]) : "active",
      allowedOrigins: yield* optionalOrigins(body["allowedOrigins"]),
      honeypot: yield* checkHoneypot(body["honeypot"])
    }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/** The changes that `body` asks for; absent members stay, and null empties those that may be empty. */
export const checkHookPatch = (body: unknown): Result.Result<Partial<HookDraft>, HookRefused> =>
  Result.gen(function* () {
    if (!isObject(body)) return yield* Result.fail("invalid_json" as const)
    const { name, successUrl, failUrl, status, allowedOrigins, honeypot } = body
    return {
      ...(name !== undefined && { name: yield* checkName(name) }),
      ...(successUrl !== undefined && { successUrl: yield* optionalUrl(successUrl) }),
      ...(failUrl !== undefined && { failUrl: yield* optionalUrl(failUrl) }),
      ...(status !== undefined && { status: yield* checkStatus(status) }),
      ...(allowedOrigins !== undefined && { allowedOrigins: yield* optionalOrigins(allowedOrigins) }),
      ...(honeypot !== undefined && { honeypot: yield* checkHoneypot(honeypot) })
    }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

const checkName = (value: unknown): Result.Result<string, "invalid_name"> =>
  Result.flatMap(optionalLine(value, maxHookName, "invalid_name"), (name) =>
    name === null || name.trim() === "" ? Result.fail("invalid_name") : Result.succeed(name)
  )

/** The most characters of the name of a field. */
export const maxHoneypot = 60

const honeypotForm = /^[A-Za-z][\w-]*$/

// A field that people fill in catches people.
const checkHoneypot = (value: unknown): Result.Result<string | null, "invalid_honeypot"> =>
  Result.flatMap(optionalLine(value, maxHoneypot, "invalid_honeypot"), (name) =>
    name === null || (honeypotForm.test(name) && !knownFields.has(name))
      ? Result.succeed(name)
      : Result.fail("invalid_honeypot")
  )

const checkStatus = (value: unknown): Result.Result<HookStatus, "invalid_status"> => {
  const status = HookStatus.literals.find((each) => each === value)
  return status === undefined ? Result.fail("invalid_status") : Result.succeed(status)
}
