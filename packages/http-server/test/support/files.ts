/** Files that the cabinet makes, as a person takes them along. */
import { readXlsx } from "hucre/xlsx"
import { expect } from "vitest"
import type { Person } from "./people.ts"
import type { Service } from "./service.ts"

/** The bytes of a file, and the answer that they came with. */
export const bytesOf = async (service: Service, person: Person, path: string) => {
  const answer = await fetch(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${person.token}`, "accept-encoding": "identity" }
  })
  return { answer, body: new Uint8Array(await answer.arrayBuffer()) }
}

/** The rows of the first sheet of a workbook, and the answer that it came with. */
export const sheetOf = async (service: Service, person: Person, path: string) => {
  const { answer, body } = await bytesOf(service, person, path)
  expect([path, answer.status]).toEqual([path, 200])
  const { sheets } = await readXlsx(body)
  return { answer, rows: sheets[0]?.rows ?? [] }
}
