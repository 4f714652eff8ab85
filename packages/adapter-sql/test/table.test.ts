import { assert, describe, it } from "@effect/vitest"
import { Unreadable } from "../src/base/ReadableRows.ts"
import { flag, json, once, oneOf, table } from "../src/base/Table.ts"

interface Parcel {
  readonly id: string
  readonly heldUntil: number | null
  readonly isOpen: boolean
  readonly size: "small" | "large"
  readonly tags: ReadonlyArray<string>
  readonly sender: { readonly name: string; readonly fullAddress: string | null }
  readonly origin: string
}

const isTags = (value: unknown): boolean => Array.isArray(value)

const parcels = table<Parcel, Parcel & { readonly shelf: string }>("mails")(
  {
    id: once("text"),
    heldUntil: "bigint",
    isOpen: flag,
    size: once(oneOf(["small", "large"])),
    tags: json<Parcel["tags"]>(isTags),
    sender: { name: "text", fullAddress: once("text") },
    origin: { type: "text", name: "came_from", decode: (stored: string | null, { id }: { id: string }) => stored ?? id }
  },
  { shelf: { type: "text", of: ({ shelf }: { shelf: string }) => shelf }, seen: { type: "bigint", of: null } }
)

const sender = { name: "Айдос", fullAddress: null }
const parcel: Parcel = { id: "a", heldUntil: 5, isOpen: true, size: "small", tags: ["x"], sender, origin: "Oral" }
const row = parcels.encode({ ...parcel, shelf: "7" })

describe("a table", () => {
  it("names its columns after the members, in their order", () => {
    assert.deepStrictEqual(row, {
      id: "a",
      held_until: 5,
      is_open: 1,
      size: "small",
      tags: '["x"]',
      sender_name: "Айдос",
      sender_full_address: null,
      came_from: "Oral",
      shelf: "7"
    } as typeof row)
    assert.deepStrictEqual(Object.keys(parcels.columns), Object.keys(row))
    assert.deepStrictEqual(parcels.values({ ...parcel, shelf: "7" }), Object.values(row))
  })

  it("reads back what was written, and from other columns what one lacks", () => {
    assert.deepStrictEqual(parcels.decode(row), parcel)
    assert.strictEqual(parcels.decode({ ...row, came_from: null as never }).origin, "a")
  })

  it("knows which columns a change may alter", () => {
    const changing = ["held_until", "is_open", "tags", "sender_name", "came_from", "shelf"]
    assert.deepStrictEqual(Object.keys(parcels.changing), changing)
  })

  it("refuses rows that no version of ours has written, by the column's name only", () => {
    const damages = { held_until: 1.5, size: "tiny", tags: "[", sender_name: 7, seen: "never" }
    for (const [column, value] of Object.entries(damages)) {
      const read = () => parcels.read({ ...row, [column]: value })
      assert.throws(read, Unreadable, new RegExp(`^${column}$`))
    }
    assert.throws(() => parcels.read({ ...row, tags: "{}" }), Unreadable)
    assert.deepStrictEqual(parcels.read({ ...row, held_until: null }).heldUntil, null)
  })
})
