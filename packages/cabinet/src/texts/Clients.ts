/** The words of clients, loaded with their screens. */
import type { ClientsTexts } from "./ClientsTexts.ts"
import { loadedOnce } from "./LoadedTexts.ts"

/** The words of a language, loaded once. */
export const clientsTexts = loadedOnce<ClientsTexts>({
  kk: () => import("./KazakhClients.ts").then(({ kazakhClients }) => kazakhClients),
  ru: () => import("./RussianClients.ts").then(({ russianClients }) => russianClients),
  en: () => import("./EnglishClients.ts").then(({ englishClients }) => englishClients)
})
