/** The payment link as a row. */

import { type AskedFields, askable, asksNothing, type PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import type { NamedPicture } from "@tolem/core/picture/Picture"
import { isObject } from "@tolem/core/value/Checks"
import type { Tiyn } from "@tolem/core/value/Money"
import { Unreadable } from "../base/ReadableRows.ts"
import { once, table } from "../base/Table.ts"

/** A link without what its invoices come to. */
export type LinkRecord = Omit<PaymentLink, "totals">

const pictureIn = (stored: string): NamedPicture => {
  const [name, width, height] = stored.split(" ")
  if (name === undefined || !(Number(width) > 0 && Number(height) > 0)) throw new Unreadable("picture")
  return { name, width: Number(width), height: Number(height) }
}

/** The table of payment links. */
export const paymentLinkTable = table<LinkRecord>("payment_links")({
  id: once("text"),
  organizationId: once("text"),
  mode: once("text"),
  connectionId: once("text"),
  slug: "text",
  title: "text",
  description: "text",
  picture: {
    type: "text",
    encode: (picture: NamedPicture | null): string | null =>
      picture === null ? null : `${picture.name} ${picture.width} ${picture.height}`,
    decode: (stored: string | null): NamedPicture | null => (stored === null ? null : pictureIn(stored))
  },
  amount: "bigint",
  minAmount: "bigint",
  maxAmount: "bigint",
  // Servers of the version before write neither of the two.
  presets: {
    type: "text",
    holds: Array.isArray,
    encode: (presets: ReadonlyArray<Tiyn>): string | null => (presets.length === 0 ? null : JSON.stringify(presets)),
    decode: (stored: string | null): ReadonlyArray<Tiyn> => (stored === null ? [] : JSON.parse(stored))
  },
  fields: {
    type: "text",
    holds: isObject,
    encode: (fields: AskedFields): string | null =>
      askable.every((field) => fields[field] === "off") ? null : JSON.stringify(fields),
    decode: (stored: string | null): AskedFields => (stored === null ? asksNothing : JSON.parse(stored))
  },
  thankYou: "text",
  maxPayments: "bigint",
  opensAt: "bigint",
  closesAt: "bigint",
  successUrl: "text",
  failUrl: "text",
  status: "text",
  createdAt: once("bigint"),
  updatedAt: "bigint",
  version: "bigint"
})
