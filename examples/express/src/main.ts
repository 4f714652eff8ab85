/** Runs the shop: `SECRET_KEY=… BASE_URL=https://shop.kz PORT=4000 DATABASE_URL=postgres://… node src/main.ts`. */
import { mkdirSync } from "node:fs"
import { openShop } from "./App.ts"
import { onPostgres, onSqlite } from "./Orders.ts"

const { PORT = "4000", SECRET_KEY, DATA = "data", DATABASE_URL } = process.env
const { BASE_URL = `http://localhost:${PORT}`, SETTINGS = "{}" } = process.env
if (SECRET_KEY === undefined) throw new Error("SECRET_KEY must hold at least 32 random characters, kept secret")

mkdirSync(DATA, { recursive: true })
const { app, close, createKey } = await openShop({
  orders: DATABASE_URL === undefined ? onSqlite(`${DATA}/shop.db`) : onPostgres(DATABASE_URL),
  secretKey: SECRET_KEY,
  baseUrl: BASE_URL,
  settings: JSON.parse(SETTINGS)
})
const { apiKey } = await createKey()
const server = app.listen(Number(PORT), () => {
  console.log(JSON.stringify({ address: server.address(), apiKey }))
})

process.once("SIGTERM", () => server.close(() => void close()))
