/** Invoices of a file: what is wrong with each row is seen first, the good rows are made, and their links are taken. */
import { useMutation } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { linkOf } from "../api/Call.ts"
import { ask } from "../api/Session.ts"
import { useHere } from "../app/Organization.ts"
import { useGiven } from "../app/Places.ts"
import { fileUrl } from "../browser/Files.ts"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { Refused } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import styles from "./bulk/Bulk.module.css"
import { SheetCards } from "./bulk/SheetCards.tsx"
import { useBulkTexts } from "./bulk/Texts.ts"

const maxBytes = 1024 * 1024

/** The screen. */
export const Bulk = () => {
  const words = useBulkTexts()
  const { organizationId, mode } = useHere()
  useTitle(words.title)
  return (
    <div className={rows["screen"]} key={`${organizationId} ${mode}`}>
      <header>
        <h1>{words.title}</h1>
      </header>
      <p className={styles["text"]}>{words.text}</p>
      <Upload />
    </div>
  )
}

const Upload = () => {
  const words = useBulkTexts()
  const { language } = useWords()
  const { params, query } = useGiven()
  const input = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const check = useMutation({
    mutationFn: (content: string) =>
      ask("POST /panel/orgs/:organizationId/bulk/check", { params, query, body: { content } })
  })
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    check.reset()
    setTurn((last) => last + 1)
    setWrong(file.size > maxBytes ? words.causes.bytes : null)
    if (file.size > maxBytes) return
    const url = await fileUrl(file).catch(() => null)
    if (url === null) setWrong(words.unread)
    else check.mutate(url.slice(url.indexOf(",") + 1))
  }
  const fault = check.data?.fault ?? null
  const row = fault === null || fault.row === null ? "" : `${words.inRow(fault.row)} `
  const said = fault === null ? wrong : row + words.causes[fault.cause]
  const table = { params, query: { ...query, lang: language, bom: "1" } }
  return (
    <>
      <Card title={words.file} text={words.fileText}>
        <div>
          <Button isBusy={check.isPending} onClick={() => input.current?.click()}>
            {check.data === undefined ? words.choose : words.other}
          </Button>
        </div>
        <input
          ref={input}
          type="file"
          accept=".csv,.txt,.tsv,.xlsx"
          aria-label={words.choose}
          hidden
          onChange={({ currentTarget }) => {
            void choose(currentTarget.files?.[0])
            // The same file may be chosen again after it was mended.
            currentTarget.value = ""
          }}
        />
        {said !== null && (
          <p className={styles["wrong"]} role="alert">
            {said}
          </p>
        )}
        {check.error !== null && <Refused failure={check.error} />}
        <p className={styles["buttons"]}>
          <span>{words.template}</span>
          <a href={linkOf("GET /panel/orgs/:organizationId/bulk/template.xlsx", table)} download>
            XLSX
          </a>
          <a href={linkOf("GET /panel/orgs/:organizationId/bulk/template.csv", table)} download>
            CSV
          </a>
        </p>
      </Card>
      {check.data !== undefined && fault === null && <SheetCards key={turn} sheet={check.data} />}
    </>
  )
}
