/** What some payment systems cannot do. An adapter says so, and the engine does not count on it. */

/** What a provider can do that some cannot. What is not said is taken as true, but for `listOperations`. */
export interface Abilities {
  /** Payments are found by our ids. Without it a create without an answer is never repeated, and stays to be seen. */
  readonly findByOurs?: boolean
  /** Refunds are found by our ids. Without it one without an answer stays unknown until a person resolves it. */
  readonly findRefunds?: boolean
  /** The same id of ours makes the same payment. Without it a create without an answer is never repeated. */
  readonly createOnce?: boolean
  /** The same id of ours makes the same refund. The engine asks for each once, whatever a provider promises. */
  readonly refundOnce?: boolean
  /** Payments show what went back. Without it refunds made in the provider's own app are never seen. */
  readonly showRefunds?: boolean
  /** States tell that the customer has opened it. The pay page says so; nothing else hangs on it. */
  readonly showScans?: boolean
  /** Pushes can be withdrawn. Without it they stay payable until they end by themselves. */
  readonly cancel?: boolean
  /** Invoices can be pushed into the customer's app. Without it those by phone are refused. */
  readonly push?: boolean
  /** A login ends after some wrong codes, with its session, and in time. The engine sees to that too. */
  readonly endLogins?: boolean
  /** Lists its own operations of a day. Only what says so is asked for them, and reconciled: few can. */
  readonly listOperations?: boolean
}

/** Name of an ability. */
export type Ability = keyof Abilities

const usual: Required<Abilities> = {
  findByOurs: true,
  findRefunds: true,
  createOnce: true,
  refundOnce: true,
  showRefunds: true,
  showScans: true,
  cancel: true,
  push: true,
  endLogins: true,
  listOperations: false
}

/** The names of all abilities. */
export const abilityNames = Object.keys(usual) as ReadonlyArray<Ability>

/** What is counted on while a provider has not said what it can do: nothing that could make anything twice. */
export const cautious: Abilities = { findByOurs: false, findRefunds: false, createOnce: false }

/**
 * Every ability said, the others as they usually are: what finds no payments by our ids finds no refunds by them, and
 * what pushes nothing withdraws nothing.
 */
export const complete = (can: Abilities): Required<Abilities> => ({
  ...usual,
  findRefunds: can.findByOurs !== false,
  cancel: can.push !== false,
  ...can
})
