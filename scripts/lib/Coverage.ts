/** Which endpoints and error codes the interface has, and which tests called them. Pure. */
import { Api } from "@tolem/api/Api"
import { PanelApi } from "@tolem/api/PanelApi"
import { catalog } from "@tolem/core/error/ErrorCatalog"
import type { RecordedCall, TestName } from "@tolem/testing-harness/Calls"
import { HttpApi } from "effect/http-api"
import type { Proofs, Recorded } from "./Recorded.ts"

/** Pages and forms that are not part of the contract. */
const pages = [
  "GET /pay/:id",
  "POST /pay/:id/code",
  "POST /pay/:id/again",
  "POST /pay/:id/simulate",
  "GET /pay/:id/bank",
  "GET /pay/:id/qr.svg",
  "GET /receipts/:id",
  "GET /pictures/:name",
  "POST /f/:id",
  "GET /pay/:id/preview.png",
  "GET /l/:slug",
  "GET /l/:slug/poster",
  "GET /l/:slug/preview.png",
  "POST /l/:slug"
]

const endpointsOf = (api: typeof Api | typeof PanelApi): ReadonlyArray<string> => {
  const found: Array<string> = []
  HttpApi.reflect(api as typeof Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => void found.push(`${endpoint.method} ${endpoint.path}`)
  })
  return found
}

/** Every endpoint, as `GET /api/v1/invoices/:id`. */
export const endpoints: ReadonlyArray<string> = [...endpointsOf(Api), ...endpointsOf(PanelApi), ...pages]

/** Every error code. */
export const codes: ReadonlyArray<string> = Object.keys(catalog).toSorted()

// Literal segments come first: `/invoices/bulk` is no invoice.
const patterns = endpoints
  .map((endpoint) => ({ endpoint, pattern: new RegExp(`^${endpoint.replaceAll(/:\w+/g, "[^/]+")}$`) }))
  .toSorted((a, b) => a.endpoint.split(":").length - b.endpoint.split(":").length)

/** The endpoint that a call reached. */
export const endpointOf = ({ method, path }: Pick<RecordedCall, "method" | "path">): string | undefined =>
  patterns.find(({ pattern }) => pattern.test(`${method} ${path}`))?.endpoint

const http = "packages/http-server/test"

/** Codes that no call over HTTP is answered with, only commands and embedding applications: these tests meet them. */
export const codesElsewhere: Proofs = {
  transaction_in_the_way: [
    {
      file: `${http}/transactions.test.ts`,
      name: "a create outside of it does not wait for its end, and says what to do"
    }
  ],
  transaction_not_open: [{ file: `${http}/transactions.test.ts`, name: "is refused where no transaction is open" }]
}

/** The promises that the record has no test of. */
export const unproven = (recorded: Recorded): ReadonlyArray<string> => [
  ...endpoints.filter((endpoint) => (recorded.endpoints[endpoint] ?? []).length === 0),
  ...codes.filter((code) => (recorded.codes[code] ?? codesElsewhere[code] ?? []).length === 0)
]

/** Tests that one promise needs at most: more of them would only make the record long. */
const most = 3

/** Tests of random requests meet other answers in each run. */
const isRandom = ({ file }: TestName): boolean => /hostile/.test(file)

/** What the calls prove. An endpoint is proven by an answer that is no refusal. */
export const recordedOf = (calls: ReadonlyArray<RecordedCall>): Recorded => {
  const proofs = (promises: ReadonlyArray<string>, promiseOf: (call: RecordedCall) => string | null | undefined) => {
    const byPromise = Map.groupBy(
      calls.filter((call) => !isRandom(call)),
      promiseOf
    )
    return Object.fromEntries(
      promises.flatMap((promise) => {
        const found = byPromise.get(promise)
        return found === undefined ? [] : [[promise, testsOf(found)]]
      })
    )
  }
  return {
    endpoints: proofs(endpoints, (call) => (call.status < 400 ? endpointOf(call) : undefined)),
    codes: proofs(codes, ({ code }) => code)
  }
}

const key = ({ file, name }: TestName): string => `${file} ${name}`

const testsOf = (calls: ReadonlyArray<RecordedCall>): ReadonlyArray<TestName> =>
  [...new Map(calls.map(({ file, name }) => [key({ file, name }), { file, name }])).entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, most)
    .map(([, test]) => test)

/** How a test of the run ended. */
export interface TestEnd extends TestName {
  readonly passed: boolean
  /** Whether others of its file ran at the same time: a call is then noted as that of any of them. */
  readonly concurrent: boolean
}

/**
 * What the record says of tests that is not so any more, in a run of `ends`: a test that is gone from a file that ran,
 * or that passed without the call. Tests that were left out, or failed, say nothing.
 */
export const outdated = (
  recorded: Recorded,
  calls: ReadonlyArray<RecordedCall>,
  ends: ReadonlyArray<TestEnd>
): ReadonlyArray<string> => {
  const files = new Set(ends.map(({ file }) => file))
  const byTest = new Map(ends.map((end) => [key(end), end]))
  const check = (proofs: Proofs, promiseOf: (call: RecordedCall) => string | null | undefined) => {
    const seen = new Set(calls.map((call) => `${promiseOf(call)} ${key(call)}`))
    const seenInFile = new Set(calls.map((call) => `${promiseOf(call)} ${call.file}`))
    return Object.entries(proofs).flatMap(([promise, tests]) =>
      tests.flatMap((test) => {
        if (!files.has(test.file)) return []
        const end = byTest.get(key(test))
        if (end === undefined) return [`${promise}: ${test.file} has no test "${test.name}"`]
        const isMet = end.concurrent ? seenInFile.has(`${promise} ${test.file}`) : seen.has(`${promise} ${key(test)}`)
        const isShown = !end.passed || isMet
        return isShown ? [] : [`${promise}: "${test.name}" in ${test.file} does not call it`]
      })
    )
  }
  return [
    ...check(recorded.endpoints, (call) => (call.status < 400 ? endpointOf(call) : undefined)),
    ...check(recorded.codes, ({ code }) => code)
  ]
}
