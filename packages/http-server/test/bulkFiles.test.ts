/** Invoices of files: looked through, made once, and their links as files. */
import { crc32, deflateRawSync } from "node:zlib"
import { readXlsx, writeXlsx } from "hucre/xlsx"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { as, join, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Service, start } from "./support/service.ts"

let service: Service
let owner: Person
let org: string
beforeAll(async () => {
  service = await start()
  owner = await logIn(service, "77096000001")
  org = await organizationOf(service, owner)
})
afterAll(() => service.stop())

const ask = (method: string, path: string, body?: unknown, person = owner) =>
  as(service, person, method, `/panel/orgs/${org}/bulk${path}`, body)

interface Row {
  readonly row: number
  readonly invoice: { readonly idempotencyKey: string }
}
interface Checked {
  readonly fault: { readonly cause: string; readonly row: number | null } | null
  readonly rows: ReadonlyArray<Row>
  readonly faults: ReadonlyArray<{ readonly row: number; readonly column: string; readonly code: string }>
}
const check = async (content: string | Uint8Array): Promise<Checked> => {
  const { text } = await ask("POST", "/check", { content: Buffer.from(content).toString("base64") })
  return JSON.parse(text) as Checked
}
const workbook = (rows: Array<Array<string | number | null>>) => writeXlsx({ sheets: [{ name: "A", rows }] })

/** An archive of one part, packed, that says of itself that it is small. */
const archiveOf = (name: string, content: Uint8Array): Uint8Array => {
  const [packed, sum] = [deflateRawSync(content), crc32(content)]
  const local = Buffer.alloc(30 + name.length)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt16LE(name.length, 26)
  local.write(name, 30)
  const central = Buffer.alloc(46 + name.length)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(sum, 16)
  central.writeUInt32LE(packed.length, 20)
  central.writeUInt32LE(100, 24)
  central.writeUInt16LE(name.length, 28)
  central.write(name, 46)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length + packed.length, 16)
  return Buffer.concat([local, packed, central, end])
}

describe("files of invoices", () => {
  it("reads a workbook as it reads a text, and makes the same row once", async () => {
    const rows = [
      ["Сумма, ₸", "Описание", "Телефон"],
      [1500.5, "=HYPERLINK(1)", 77011234567],
      [null, null, null],
      ["many", "x", null]
    ]
    const { fault, rows: good, faults } = await check(await workbook(rows))
    expect([fault, good.map(({ row }) => row)]).toEqual([null, [2]])
    expect(faults).toMatchObject([{ row: 4, column: "amount", code: "invalid_amount", value: "many" }])
    const invoices = good.map(({ invoice }) => invoice)
    const made = await ask("POST", "", { invoices })
    expect([made.status, made.body["created"]]).toEqual([207, 1])
    const again = await ask("POST", "", { invoices })
    expect([again.status, again.body["created"]]).toEqual([207, 0])
    const list = await as(service, owner, "GET", `/panel/orgs/${org}/invoices`)
    expect(list.body["total"]).toBe(1)
  })

  it("says why a file cannot be used, however it is broken", async () => {
    const cause = async (content: string | Uint8Array) => (await check(content)).fault?.cause
    expect(await cause("")).toBe("empty")
    expect(await cause(new Uint8Array(1024 * 1024 + 1).fill(53))).toBe("bytes")
    expect(await cause(Uint8Array.from([0x50, 0x4b, 3, 4, 1, 2]))).toBe("workbook")
    expect(await cause(archiveOf("xl/workbook.xml", bytesOf("<no")))).toBe("workbook")
    expect(await cause(archiveOf("xl/workbook.xml", new Uint8Array(200 * 1024 * 1024)))).toBe("unpacked")
    expect(await cause((await workbook([["amount"], [5]])).slice(0, -30))).toBe("workbook")
    expect(await cause(await workbook([["amount"], ...Array.from({ length: 1001 }, () => [5])]))).toBe("rows")
    const wide = Array.from({ length: 65 }, (_, at) => `c${at}`)
    expect(await cause(await workbook([wide, wide]))).toBe("columns")
    expect(outcomeOf(await ask("POST", "/check", { content: "x".repeat(3 * 1024 * 1024) }))).toBe(
      "413 payload_too_large"
    )
    expect((await ask("POST", "/check", {})).body["fault"]).toMatchObject({ cause: "empty" })
  })

  it("writes links as files in which nothing is a formula, and a table to fill in", async () => {
    const row = { row: 2, amount: 5, description: "=1+1", id: "inv_1", payUrl: "https://pay.example.kz/p/inv_1" }
    const csv = await ask("POST", "/links.csv?lang=en", { rows: [row] })
    expect(csv.text.split("\r\n")[1]).toBe("2,5.00,'=1+1,,,,inv_1,https://pay.example.kz/p/inv_1")
    expect(outcomeOf(await ask("POST", "/links.csv", { rows: [] }))).toBe("422 invalid_invoices")
    expect(outcomeOf(await ask("POST", "/links.xlsx", {}))).toBe("422 invalid_invoices")
    const headers = { authorization: `Bearer ${owner.token}`, "content-type": "application/json" }
    const url = `${service.url}/panel/orgs/${org}/bulk`
    const sent = { method: "POST", headers, body: JSON.stringify({ rows: [row] }) }
    const book = await readXlsx(await (await fetch(`${url}/links.xlsx?lang=en`, sent)).arrayBuffer())
    expect(book.sheets[0]?.rows[1]?.slice(0, 3)).toEqual([2, 5, "'=1+1"])
    expect((await ask("POST", "/links.xlsx", { rows: [row] })).status).toBe(200)
    expect((await ask("GET", "/template.xlsx")).status).toBe(200)
    for (const lang of ["kk", "ru", "en"]) {
      const template = await (await fetch(`${url}/template.xlsx?lang=${lang}`, { headers })).arrayBuffer()
      expect((await check(new Uint8Array(template))).fault?.cause).toBe("empty")
      const text = await ask("GET", `/template.csv?lang=${lang}&bom=1`)
      const filled = `${text.text}${lang === "en" ? 5 : "5,5"};Tea\r\n`
      expect(await check(filled)).toMatchObject({ fault: null, ignored: [], rows: [{ row: 2 }], faults: [] })
    }
  })

  it("is for those who may make invoices, and refuses calls that are none", async () => {
    const accountant = await logIn(service, "77096000002")
    await join(service, org, accountant, "accountant")
    const invoices = [{ amount: 5 }]
    for (const [path, body] of [
      ["", { invoices }],
      ["/check", { content: "" }],
      ["/links.csv", { rows: [] }]
    ] as const) {
      expect(outcomeOf(await ask("POST", path, body, accountant))).toBe("403 insufficient_role")
    }
    expect(outcomeOf(await ask("POST", "", { invoices: [] }))).toBe("422 invalid_invoices")
    expect(outcomeOf(await ask("POST", "", { invoices: Array(101).fill({ amount: 5 }) }))).toBe("422 invalid_invoices")
    expect((await ask("POST", "", { invoices: [null] })).body["created"]).toBe(0)
    const live = (body: object) => ask("POST", "?mode=live", { invoices, ...body })
    expect(outcomeOf(await live({ connectionId: 5 }))).toBe("422 invalid_connection_id")
  })
})

const bytesOf = (text: string) => new TextEncoder().encode(text)
