/** Short notices of what was done, with a way to undo it where there is one. What shows them is loaded in idle time. */
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from "react"
import { whenIdle } from "../browser/Idle.ts"
import { loadedPart } from "./LoadedPart.tsx"
import type { Notify, Outlet } from "./Notice.ts"

const NoticesContext = createContext<Notify | null>(null)

const load = () => import("./NoticeList.tsx")
const NoticeList = loadedPart(() => load().then(({ NoticeList }) => NoticeList))

/** Lets what is inside tell notices. */
export const Notices = ({ children }: { readonly children: ReactNode }) => {
  const [isWanted, setWanted] = useState(false)
  const outlet = useRef<Outlet>({ take: null, before: [] })
  useEffect(() => whenIdle(() => void load().then(() => setWanted(true))), [])
  const notify = useMemo<Notify>(
    () => (notice) => {
      const { take, before } = outlet.current
      if (take === null) before.push(notice)
      else take(notice)
      setWanted(true)
    },
    []
  )
  return (
    <NoticesContext value={notify}>
      {children}
      {isWanted && <NoticeList outlet={outlet.current} />}
    </NoticesContext>
  )
}

/** Shows a notice for some seconds; it stays for as long as a pointer or the focus is on it. */
export const useNotify = (): Notify => {
  const notify = use(NoticesContext)
  if (notify === null) throw new Error("no notices are shown here")
  return notify
}
