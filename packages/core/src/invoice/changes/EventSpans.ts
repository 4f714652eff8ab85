/**
 * The trace of an event: what is done because of it, by any server and at any time. Its ids are those of the event, so
 * that servers know them without having told each other.
 */
import { Context, Effect, Tracer } from "effect"
import { type EventId, hexOf } from "../../value/Ids.ts"
import { isTraced } from "../../work/Spans.ts"
import { isAnnounced } from "../Consequences.ts"
import type { Write } from "../InvoiceStore.ts"

/** The span that stands for an event, which attempts to deliver it are part of; undefined if its id is none of ours. */
export const spanOf = (id: EventId): Tracer.ExternalSpan | undefined => {
  const traceId = hexOf(id)
  return traceId === undefined ? undefined : Tracer.externalSpan({ traceId, spanId: traceId.slice(16) })
}

/** Marks a span that is itself what its parent names: a tracer that can give ids gives it those of the parent. */
export const IsItsParent = Context.Reference<boolean>("@tolem/core/IsItsParent", { defaultValue: () => false })

const annotations = Context.make(IsItsParent, true)

/**
 * Begins the trace of the event that was written, if endpoints hear of it and the application has given a tracer. It
 * links to the span under way, and that to it.
 */
export const committed = ({ event, next }: Pick<Write, "event" | "next">): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const { span: cause } = fiber.cache
    if (event === null || !isTraced(fiber) || cause?._tag !== "Span" || !isAnnounced(event, next)) return Effect.void
    const parent = spanOf(event.id)
    if (parent === undefined) return Effect.void
    cause.addLinks([{ span: parent, attributes: {} }])
    return Effect.withSpan(Effect.void, "Event.committed", {
      kind: "producer",
      parent,
      annotations,
      links: [{ span: cause, attributes: {} }],
      attributes: { "tolem.event.type": event.type },
      captureStackTrace: false
    })
  })
