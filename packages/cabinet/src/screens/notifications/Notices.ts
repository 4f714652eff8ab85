/** What the person is told of, as the server tells of it. */
import { useQuery } from "@tanstack/react-query"
import type { Answer } from "../../api/Contract.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"

const call = "GET /panel/orgs/:organizationId/notices"

/** Everything of it in the mode that is looked at. */
export type NoticeFacts = Answer<typeof call>

/** What was chosen of a channel, and whether it arrives. */
export type NoticeLine = NonNullable<NoticeFacts["letter"]>

/** How the person is told. */
export type NoticeChannel = "letter" | "telegram"

const everyMs = 15_000

/** The reading of it. */
export const useNoticesReading = () => reading(call, useGiven())

/** All of it, read anew every so often. */
export const useNotices = (intervalMs = everyMs) => useQuery({ ...useNoticesReading(), refetchInterval: intervalMs })
