/** Lists that are read in pages: what is there so far, and one page more whenever it is asked for. */
import {
  hashKey,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery
} from "@tanstack/react-query"
import { useEffect, useState } from "react"

type Options<Page, Param> = UseInfiniteQueryOptions<Page, Error, InfiniteData<Page, Param>, QueryKey, Param>

/** A page that was asked for: of which list, and how many it had. */
interface Asked {
  readonly list: string
  readonly count: number
}

/**
 * The pages of a list. Of two readings of a list that meet, the client drops the one that began first. Here none is
 * lost: a page that is asked for while the list is read anew is read afterwards, and again if the list was read anew
 * meanwhile. `isFetchingNextPage` holds until it is there, or was refused.
 */
export const usePages = <Page, Param>(options: Options<Page, Param>) => {
  const list = useInfiniteQuery(options)
  const { data, error, isFetching, isPlaceholderData, hasNextPage, fetchNextPage: fetchPage } = list
  const [asked, setAsked] = useState<Asked | null>(null)
  const now: Asked = { list: hashKey(options.queryKey), count: data?.pages.length ?? 0 }
  const isAsked = asked?.list === now.list && asked.count === now.count
  const isFetchingNextPage = isAsked && hasNextPage && !isPlaceholderData
  const isDue = isFetchingNextPage && !isFetching
  useEffect(() => {
    if (!isDue) return
    void fetchPage({ cancelRefetch: false }).then(({ isFetchNextPageError }) => {
      if (isFetchNextPageError) setAsked(null)
    })
  }, [isDue, fetchPage])
  return { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage: () => setAsked(now) }
}
