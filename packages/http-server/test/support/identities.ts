/** Certificates for 127.0.0.1 that sign themselves, as the system's openssl makes them. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Whether there is an openssl. */
export const hasOpenssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].some((path) => existsSync(path))

/** Writes a certificate, good for so many days, and its key into the folder. */
export const makeIdentity = (folder: string, name: string, days = 30) => {
  const certificateFile = join(folder, `${name}.crt`)
  const keyFile = join(folder, `${name}.key`)
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
  const named = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
  const files = ["-keyout", keyFile, "-out", certificateFile]
  execFileSync("openssl", ["req", "-x509", "-days", String(days), ...curve, ...named, ...files], { stdio: "ignore" })
  return { certificateFile, keyFile, certificate: readFileSync(certificateFile, "utf8") }
}
