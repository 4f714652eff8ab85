/** Payment links. Both screens are one file, so that what they share is loaded with no other screen. */
import { useParams } from "@tanstack/react-router"
import { LinkDetail } from "./links/LinkDetail.tsx"
import { LinkList } from "./links/LinkList.tsx"

/** The list, or the link that the address names. */
export const Links = () => {
  const { linkId } = useParams({ strict: false })
  return linkId === undefined ? <LinkList /> : <LinkDetail linkId={linkId} />
}
