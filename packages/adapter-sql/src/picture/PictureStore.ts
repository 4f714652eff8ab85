/** The core's `PictureStore` in SQL, and what writes pictures together with what shows them. */
import { PictureStore, type StoredPicture } from "@tolem/core/picture/PictureStore"
import { Effect, Layer, Result } from "effect"
import { Base64 } from "effect/encoding"
import { Database } from "../base/Database.ts"
import { oneOf, type RowOf, table } from "../base/Table.ts"

/** The table of pictures. Their bytes are in base64. */
export const pictureTable = table<StoredPicture>("pictures")({
  id: "text",
  organizationId: "text",
  contentType: oneOf(["image/png", "image/jpeg"]),
  width: "bigint",
  height: "bigint",
  bytes: {
    type: "text",
    name: "data",
    encode: (bytes): string => Base64.encode(bytes),
    decode: (stored: string) => Result.getOrElse(Base64.decode(stored), () => new Uint8Array())
  },
  createdAt: "bigint"
})

/** A row of the table of pictures. */
export type PictureRow = RowOf<typeof pictureTable>

/** The store over the database. */
export const layer: Layer.Layer<PictureStore, never, Database> = Layer.effect(
  PictureStore,
  Effect.map(Database, ({ sql, tables, one }) => ({
    find: (id: string) => {
      const select = sql<PictureRow>`select * from ${tables.pictures} where id = ${id}`
      return one("PictureStore.find", select, pictureTable.decode)
    }
  }))
)
