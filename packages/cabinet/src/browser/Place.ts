/** Where the server is reached, which a proxy may have put under any path. */

const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')

/** The path of the cabinet, with a slash at its end, as `/cabinet/`. */
export const cabinetPath: string = new URL(".", manifest?.href ?? document.baseURI).pathname

/** The path that everything of the server is under: empty, or as `/shop`. */
export const serverPath: string = cabinetPath.replace(/\/cabinet\/$/, "")

/** A picture as it is reached from this page, whose policy allows no other origin. */
export const picturePath = (url: string): string => `${serverPath}${url.slice(url.lastIndexOf("/pictures/"))}`
