/** What is told in passing. */

/** A notice. */
export interface Notice {
  readonly title: string
  readonly text?: string
  readonly tone?: "calm" | "good" | "bad"
  readonly undo?: () => void
}

/** Tells a notice. */
export type Notify = (notice: Notice) => void

/** Notices that were told before what shows them was there, and who takes them since. */
export interface Outlet {
  take: Notify | null
  readonly before: Array<Notice>
}
