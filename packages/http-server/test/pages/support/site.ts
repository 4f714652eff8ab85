/** The public pages over a real storage, listening on a free port of this machine, with a clock that the test holds. */
import { createServer } from "node:http"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as SharpPictures from "@tolem/adapter-sharp/SharpPictures"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { Engine } from "@tolem/core/engine/Engine"
import { defaults, type Settings } from "@tolem/core/engine/Settings"
import type { ProfileDetails } from "@tolem/core/face/Profiles"
import type { Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { changeOf, creationOf, startAt } from "@tolem/testing/fixtures"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { Draining } from "../../../src/operations/Health.ts"
import * as PageChanges from "../../../src/pages/PageChanges.ts"
import * as Pictures from "../../../src/pages/Pictures.ts"
import * as PublicPages from "../../../src/pages/PublicPages.ts"
import * as SandboxPages from "../../../src/pages/SandboxPages.ts"
import * as TestClock from "../../support/clock.ts"

/** What differs from a site that works. */
export interface Given {
  readonly settings?: Partial<Settings>
  /** Alters the store of invoices, to watch it or to make it fail. */
  readonly alter?: (store: InvoiceStore["Service"]) => InvoiceStore["Service"]
}

/** The pages with all that they need, but no server. */
export const pagesOf = ({ settings, alter = (store) => store }: Given = {}) => {
  const altered = Layer.effect(InvoiceStore, Effect.map(InvoiceStore, alter)).pipe(
    Layer.provideMerge(Sqlite.layer({ filename: ":memory:" }))
  )
  const services = Engine.layer({ ...defaults, pagesPerMinute: 1e9, ...settings }).pipe(
    Layer.provideMerge(altered),
    Layer.provide(SharpPictures.layer),
    Layer.provide(SecretBox.layer([Redacted.make("a key for tests only, of no use anywhere else")])),
    Layer.provide(NodeCrypto.layer)
  )
  return {
    services,
    pages: Layer.provide(
      Layer.mergeAll(PublicPages.layer, PageChanges.layer, SandboxPages.layer, Pictures.layer),
      Draining.layer
    )
  }
}

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Starts the site. The caller stops it. */
export const start = async (given: Given = {}) => {
  const time: TestClock.TestTime = { now: startAt }
  const logs: Array<string> = []
  const { pages, services } = pagesOf(given)
  const served = HttpRouter.serve(pages, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { port: 0, host: "127.0.0.1" })),
    Layer.provideMerge(services),
    Layer.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => void logs.push(line))])),
    Layer.provide(TestClock.layer(time))
  )
  const runtime = ManagedRuntime.make(served)
  const address = await runtime.runPromise(HttpServer.HttpServer.use((_) => Effect.succeed(_.address)))
  if (!("port" in address)) throw new Error("not an internet address")
  const url = `http://127.0.0.1:${address.port}`
  const opened = Engine.use(({ organizations }) =>
    organizations.create({ name: "Дастархан & Co", legalName: "ЖШС Дастархан", ownerPhone: "77015550001" })
  )
  const { organization } = await runtime.runPromise(opened)

  const get = async (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, { headers, method, redirect: "manual" })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  /** Stores an invoice of the shop as it is given. */
  const put = async (members: Partial<Invoice> = {}): Promise<Invoice> => {
    const creation = creationOf({ organizationId: organization.id, ...members })
    await runtime.runPromise(InvoiceStore.use((store) => store.insertMany([creation])))
    return creation.invoice
  }
  const change = (invoice: Invoice, command: InvoiceCommand) =>
    runtime.runPromise(InvoiceStore.use((store) => store.commitMany([changeOf(invoice, command)])))
  /** The pay page of an invoice that is stored as it is given. */
  const page = async (members: Partial<Invoice> = {}, lang = "en"): Promise<Answer & { readonly invoice: Invoice }> => {
    const invoice = await put(members)
    return { ...(await get(`/pay/${invoice.id}?lang=${lang}`)), invoice }
  }

  /** Has the shop look as it says. */
  const dress = async (details: ProfileDetails, logo?: Uint8Array) => {
    const dressed = Engine.use(({ profiles }) =>
      Effect.gen(function* () {
        const profile = yield* profiles.change(organization.id, { ...details })
        return logo === undefined ? profile : yield* profiles.setLogo(organization.id, logo)
      })
    )
    return runtime.runPromise(dressed)
  }

  return { url, time, logs, get, put, change, page, dress, stop: () => runtime.dispose() }
}

/** A site that is running. */
export type Site = Awaited<ReturnType<typeof start>>
