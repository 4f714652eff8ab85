/** The words of the screens, in the language of the page. */
import { useLoadedTexts } from "../../parts/Words.tsx"
import { clientsTexts } from "../../texts/Clients.ts"
import type { ClientsTexts } from "../../texts/ClientsTexts.ts"

/** The words. What is inside waits for them. */
export const useClientsTexts = (): ClientsTexts => useLoadedTexts(clientsTexts)
