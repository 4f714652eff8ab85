/** A partner's clients. Both screens are one file, so that what they share is loaded with no other screen. */
import { useParams } from "@tanstack/react-router"
import { ClientList } from "./clients/ClientList.tsx"
import { ClientPage } from "./clients/ClientPage.tsx"

/** The list, or the client that the address names. */
export const Clients = () => {
  const { clientId } = useParams({ strict: false })
  return clientId === undefined ? <ClientList /> : <ClientPage clientId={clientId} />
}
