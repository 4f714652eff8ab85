/** Which test exercises which endpoint, error code and limit of the interface. Read from the code. */
import { Api } from "@tolem/api/Api"
import { PanelApi } from "@tolem/api/PanelApi"
import { catalog } from "@tolem/core/error/ErrorCatalog"
import { HttpApi } from "effect/http-api"
import { limits } from "./Limits.ts"
import type { TestCase } from "./TestCases.ts"

/** A promise of the interface, and the tests that hold it to it. */
export interface Row {
  readonly promise: string
  readonly tests: ReadonlyArray<TestCase>
}

/** The rows by table. */
export interface Coverage {
  readonly endpoints: ReadonlyArray<Row>
  readonly codes: ReadonlyArray<Row>
  readonly limits: ReadonlyArray<Row>
}

/** What the typed clients' groups are called in tests. */
const aliases: Readonly<Record<string, string>> = {
  partner: "partner|mine|other|merchant",
  login: "login|panel",
  organizations: "organizations"
}

/** Where the clients drive endpoints. */
const driven = /\/(client|partner|panel|login|sessions|keys|paymentLinks|formHooks)\.test\.ts$/

/** Endpoints without a key: their addresses, and what a test of them asks for. */
const publicEndpoints: ReadonlyArray<readonly [promise: string, evidence: RegExp, file: RegExp]> = [
  ["GET /pay/:id", /\/pay\/|payUrl|page\(|open\(/, /pages\/payPage\.test\.ts$/],
  ["GET /pay/:id/qr.svg", /qr\.svg|qrImageUrl/, /pages\/payPage\.test\.ts$/],
  ["GET /receipts/:id", /receipt/i, /pages\/receipts\.test\.ts$/],
  ["POST /f/:id", /submit|\/f\//, /\/formHooks\.test\.ts$/],
  ["GET /l/:slug", /"GET"|show/, /\/paymentLinks\.test\.ts$/],
  ["POST /l/:slug", /pay\(|"POST"/, /\/paymentLinks\.test\.ts$/]
]

/** The tables, of these tests. `provoked`: codes that the table of `codes.test.ts` provokes, one test each. */
export const coverage = (cases: ReadonlyArray<TestCase>, provoked: ReadonlySet<string>): Coverage => ({
  endpoints: [...endpointsOf(Api, cases), ...endpointsOf(PanelApi, cases), ...publicOf(cases)],
  codes: Object.keys(catalog)
    .toSorted()
    .map((code) => ({ promise: code, tests: [...provokedBy(code, provoked), ...testsOfCode(code, cases)] })),
  limits: limits.map(({ limit, evidence }) => ({
    promise: limit,
    tests: evidence.flatMap((wanted) =>
      cases.filter(({ file, name }) => file.endsWith(wanted.file) && name.endsWith(wanted.name))
    )
  }))
})

const endpointsOf = (api: typeof Api | typeof PanelApi, cases: ReadonlyArray<TestCase>): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  HttpApi.reflect(api as typeof Api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint }) => {
      const names = aliases[group.identifier] ?? group.identifier
      const call = new RegExp(`\\b(${names})\\s*\\.${endpoint.identifier}\\(`)
      rows.push({
        promise: `${endpoint.method} ${endpoint.path}`,
        tests: cases.filter(({ file, text }) => driven.test(file) && call.test(text))
      })
    }
  })
  return rows
}

const publicOf = (cases: ReadonlyArray<TestCase>): ReadonlyArray<Row> =>
  publicEndpoints.map(([promise, evidence, file]) => ({
    promise,
    tests: cases.filter((each) => file.test(each.file) && evidence.test(each.text))
  }))

/** The file whose table provokes codes. */
export const codesFile = "packages/http-server/test/codes.test.ts"

/** The codes of that table, from the text of its file. */
export const provokedIn = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.matchAll(/^ {2}([a-z_]+): (?:async )?\(\) =>/gm), ([, code]) => code ?? ""))

const provokedBy = (code: string, provoked: ReadonlySet<string>): ReadonlyArray<TestCase> =>
  provoked.has(code) ? [{ file: codesFile, name: `the codes of 4xx answers can be provoked: ${code}`, text: "" }] : []

const testsOfCode = (code: string, cases: ReadonlyArray<TestCase>): ReadonlyArray<TestCase> => {
  const named = new RegExp(`["'\`](?:\\d+ )?${code}["'\`]`)
  return cases.filter(({ file, text }) => file !== codesFile && isServed(file) && named.test(text))
}

/** Tests that go through the whole service, or through its commands. */
const isServed = (file: string): boolean => /^packages\/http-server\/test\//.test(file)
