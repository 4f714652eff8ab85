/** Room in memory for the request under way. */
import type { Settings } from "@tolem/core/engine/Settings"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import { RequestState } from "./RequestState.ts"
import type { NoRoom } from "./Room.ts"

/** Takes room for the answer to the request under way, before it is made: it may be so large. */
const roomForAnswer = (bytes: number): Effect.Effect<void, NoRoom> =>
  Effect.flatMap(RequestState, (state) => (state === undefined ? Effect.void : state.room.forAnswer(state, bytes)))

/** Takes room for the body of the request under way, before it is read: it may be so large. */
export const roomForBody = (bytes: number): Effect.Effect<void, NoRoom> =>
  Effect.flatMap(RequestState, (state) => (state === undefined ? Effect.void : state.room.forBody(state, bytes)))

/**
 * An answer that is made once, and whose bytes all requests for it are sent: however slowly it is read, it takes no
 * room from others.
 */
export const shared = <E, R>(
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  Effect.flatMap(RequestState, (state) => {
    if (state !== undefined) state.isShared = true
    return answer
  })

/** What a row of a list takes beside its metadata, at most. */
const rowBytes = 4096

/** Takes room for a page of rows with metadata, as large as it can be with the limit that was asked for. */
export const roomForPage = (
  limit: unknown,
  { defaultPageSize, maxPageSize, maxMetadataBytes }: Settings
): Effect.Effect<void, NoRoom> => {
  const asked = typeof limit === "string" ? Number(limit) : defaultPageSize
  const rows = Number.isFinite(asked) ? Math.min(Math.max(asked, 1), maxPageSize) : maxPageSize
  return roomForAnswer(rows * (rowBytes + maxMetadataBytes))
}
