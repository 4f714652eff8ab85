/** The journal as a table. Pure. */
import type { AuditRecord } from "../../audit/Audit.ts"
import { deedKindOf } from "../../audit/DeedKinds.ts"
import { localTime } from "../../value/Calendar.ts"
import type { Names } from "../journal/Journal.ts"
import { shownActor } from "../journal/JournalJson.ts"
import { type Column, columnsOf, type Row, type TableLanguage } from "./Table.ts"

const heads: Readonly<Record<TableLanguage, ReadonlyArray<string>>> = {
  kk: [
    "Уақыты (Алматы)",
    "Кім түрі",
    "Кім",
    "Кімнің нөмірі",
    "Қайдан",
    "Тарау",
    "Әрекет",
    "Ненің нөмірі",
    "Не",
    "Толығырақ"
  ],
  ru: [
    "Время (Алматы)",
    "Вид лица",
    "Кто",
    "Номер лица",
    "Откуда",
    "Раздел",
    "Действие",
    "Номер предмета",
    "Предмет",
    "Подробности"
  ],
  en: [
    "At (Almaty)",
    "Kind of actor",
    "Who",
    "Actor id",
    "From",
    "Section",
    "Action",
    "Subject id",
    "Subject",
    "Detail"
  ]
}

/** The columns. */
export const journalColumns = (language: TableLanguage): ReadonlyArray<Column> => columnsOf(heads[language])

/** The row of a record. */
export const journalRow = ({ action, actor, subject, detail, createdAt }: AuditRecord, names: Names): Row => {
  const { kind, id, name, origin } = shownActor(actor, names)
  const what = names.get(subject) ?? null
  return [localTime(createdAt), kind, name, id, origin, deedKindOf(action), action, subject, what, detail]
}
