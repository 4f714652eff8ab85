import { readFileSync } from "node:fs"
import { verify } from "./verify.mjs"

const cases = JSON.parse(readFileSync("cases.json", "utf8"))
console.log(JSON.stringify(cases.map((one) => verify(one.secret, one.headers, one.body, one.now))))
