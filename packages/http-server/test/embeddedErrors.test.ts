/** What an application that embeds the engine is told where something is refused, or fails. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine, EngineClosed, type EngineOptions, ErrorCatalog, TolemError } from "@tolem/core"
import { StorageError } from "@tolem/core/error/StorageError"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { Effect, Layer, Tracer } from "effect"
import { afterAll, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "tolem-errors-"))
afterAll(() => rmSync(folder, { recursive: true }))

const secretKey = "a key for tests only, of no use anywhere else"

const started = (options: Partial<EngineOptions<unknown>> = {}) =>
  createEngine({
    database: sqlite({ filename: ":memory:" }),
    platform: nodePlatform(),
    secretKeys: [secretKey],
    agents: false,
    ...options
  })

const shopOf = (engine: Awaited<ReturnType<typeof started>>) =>
  engine.merchant({ key: "shop", name: "Shop", mode: "sandbox" })

const failureOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => "it succeeded",
    (error: unknown) => error
  )

it("a refusal says what is wrong, in three languages, and what HTTP would answer", async () => {
  const engine = await started()
  const shop = await shopOf(engine)
  const error = await failureOf(shop.invoices.create({ amount: 1500, externalOrderId: "x".repeat(101) }))
  const { kk, ru, en, status } = ErrorCatalog.entry("invalid_external_order_id")
  expect(error).toBeInstanceOf(TolemError)
  expect(error).toMatchObject({
    name: "TolemError",
    code: "invalid_external_order_id",
    message: kk,
    messages: { kk, ru, en },
    field: "externalOrderId",
    status,
    retryable: false,
    retryAfterSeconds: null
  })
  expect(error).not.toHaveProperty("cause")
  expect(await failureOf(shop.invoices.cancel("inv_nobody"))).toMatchObject({ status: 404, field: null })
  await engine.close()
})

it("a code that names a member tells it", () => {
  const names = Object.keys(ErrorCatalog.catalog).filter(ErrorCatalog.isCode)
  const told = Object.fromEntries(names.map((code) => [code, ErrorCatalog.fieldOf(code)]))
  expect(told).toMatchObject({
    invalid_amount: "amount",
    amount_too_small: "amount",
    invalid_day_of_month: "dayOfMonth",
    webhook_url_requires_https: "url",
    invalid_json: null,
    invoice_not_found: null
  })
})

it("a storage that fails is logged once, and is the cause", async () => {
  const cause = new Error("the disk is full")
  const broken = Layer.effect(
    InvoiceStore,
    Effect.map(InvoiceStore, (store) => ({
      ...store,
      list: () =>
        Effect.fail(
          new StorageError({ operation: "InvoiceStore.list", outcome: "nothing_written", retryable: true, cause })
        )
    }))
  ).pipe(Layer.provideMerge(sqlite({ filename: ":memory:" })))
  const logs: Array<[string, object, string]> = []
  const to = (level: string) => (fields: object, message: string) => void logs.push([level, fields, message])
  const logger = { debug: to("debug"), info: to("info"), warn: to("warn"), error: to("error") }
  const engine = await started({ database: broken, logger })
  const shop = await shopOf(engine)
  const before = logs.length
  const error = await failureOf(shop.invoices.list())
  expect(error).toMatchObject({ code: "service_unavailable", status: 503, retryable: true, cause })
  const fields = { operation: "InvoiceStore.list", outcome: "nothing_written", err: cause }
  expect(logs.slice(before)).toEqual([["error", fields, "Storage away"]])
  expect(await failureOf(shop.invoices.cancel("inv_nobody"))).toMatchObject({ code: "invoice_not_found" })
  expect(logs).toHaveLength(before + 1)
  await engine.close()
})

it("another secret key is told in words", async () => {
  const database = sqlite({ filename: join(folder, "keys.db") })
  const engine = await started({ database })
  await (await shopOf(engine)).webhooks.ensure({ url: "http://localhost:4000/hook" })
  await engine.close()
  const other = "another key for tests only, of no use as well"
  const error = await failureOf(started({ database, secretKeys: [other] }))
  expect(String(error)).toContain("sealed with other secret keys than those given here")
  for (const key of [other, secretKey]) expect(String(error)).not.toContain(key)
  const rotated = await started({ database, secretKeys: [other, secretKey] })
  await rotated.close()
})

it("an engine that was closed says so", async () => {
  const engine = await started()
  const shop = await shopOf(engine)
  await engine.close()
  await engine.close()
  for (const attempt of [() => shop.invoices.list(), () => shopOf(engine), () => engine.verify()]) {
    const error = await failureOf(attempt())
    expect(error).toBeInstanceOf(EngineClosed)
    expect(error).toMatchObject({ name: "EngineClosed", message: expect.stringContaining("closed") })
  }
})

it("an engine that is closed lets what has begun come to its end", async () => {
  const engine = await started()
  const shop = await shopOf(engine)
  const begun = Array.from({ length: 20 }, (_, index) => shop.invoices.create({ amount: 10 + index }))
  const closed = engine.close()
  const late = failureOf(shop.invoices.create({ amount: 1 }))
  expect((await Promise.all(begun)).map(({ status }) => status)).toEqual(begun.map(() => "pending"))
  expect(await late).toBeInstanceOf(EngineClosed)
  await closed
})

it("spans go where the application wants them", async () => {
  const names: Array<string> = []
  const tracer = Tracer.make({
    span: (options) => {
      names.push(options.name)
      return new Tracer.NativeSpan(options)
    }
  })
  const engine = await started({ tracer: Layer.succeed(Tracer.Tracer, tracer) })
  const shop = await shopOf(engine)
  const { id } = await shop.invoices.create({ amount: 1500 })
  await shop.invoices.cancel(id)
  expect(names).toContain("Organizations.ensure")
  expect(names.filter((name) => name === "Invoices.create")).toHaveLength(1)
  expect(names).toContain("Invoices.cancel")
  await engine.close()
})
