/** Checks of the requests about form hooks. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { isGiven, isObject, optionalLine, optionalUrl } from "../value/Checks.ts"
import { type FormHook, HookStatus } from "./FormHook.ts"

/** Members of a patch, for those who write one in TypeScript; `checkHookPatch` says what their values may be. */
export type HookChanges = {
  readonly name?: string | undefined
  readonly successUrl?: string | null | undefined
  readonly failUrl?: string | null | undefined
  readonly status?: HookStatus | undefined
}

/** The same of a create request; see `checkHook`. */
export type HookRequest = HookChanges & { readonly name: string }

/** What a merchant asked for, checked. */
export type HookDraft = Pick<FormHook, "name" | "successUrl" | "failUrl" | "status">

/** The most characters of a name. */
export const maxHookName = 100

/** A member of a request for a hook breaks its rule. */
export type HookRefused = FieldRefused<"invalid_json" | "invalid_name" | "invalid_url" | "invalid_status">

/** The hook that `body` asks for. */
export const checkHook = (body: unknown): Result.Result<HookDraft, HookRefused> =>
  Result.gen(function* () {
    if (!isObject(body)) return yield* Result.fail("invalid_json" as const)
    return {
      name: yield* checkName(body["name"]),
      successUrl: yield* optionalUrl(body["successUrl"]),
      failUrl: yield* optionalUrl(body["failUrl"]),
      status: isGiven(body["status"]) ? yield* checkStatus(body["status"]) : "active"
    }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/** The changes that `body` asks for; absent members stay, and null empties those that may be empty. */
export const checkHookPatch = (body: unknown): Result.Result<Partial<HookDraft>, HookRefused> =>
  Result.gen(function* () {
    if (!isObject(body)) return yield* Result.fail("invalid_json" as const)
    const { name, successUrl, failUrl, status } = body
    return {
      ...(name !== undefined && { name: yield* checkName(name) }),
      ...(successUrl !== undefined && { successUrl: yield* optionalUrl(successUrl) }),
      ...(failUrl !== undefined && { failUrl: yield* optionalUrl(failUrl) }),
      ...(status !== undefined && { status: yield* checkStatus(status) })
    }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

const checkName = (value: unknown): Result.Result<string, "invalid_name"> =>
  Result.flatMap(optionalLine(value, maxHookName, "invalid_name"), (name) =>
    name === null || name.trim() === "" ? Result.fail("invalid_name") : Result.succeed(name)
  )

const checkStatus = (value: unknown): Result.Result<HookStatus, "invalid_status"> => {
  const status = HookStatus.literals.find((each) => each === value)
  return status === undefined ? Result.fail("invalid_status") : Result.succeed(status)
}
