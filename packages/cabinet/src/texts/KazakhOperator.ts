/** The words of the console in Kazakh. */
import type { OperatorTexts } from "./OperatorTexts.ts"

/** The texts of the console in Kazakh. */
export const kazakhOperator: OperatorTexts = {
  title: "Платформа консолі",
  mark: "Платформа консолі",
  markText: "Мұнда жасағаныңыз басқа ұйымдарға қатысты және жазылып отырады.",
  leave: "Кабинетке оралу",
  search: "Табу",
  more: "Тағы көрсету",
  isCut: "Көрсетілгеннен көп табылды. Көбірек таңба теріңіз.",
  none: "Ештеңе табылмады",
  noneText: "Басқа бастауы бойынша іздеңіз.",
  people: {
    title: "Адамдар",
    text: "Аккаунты бар барлық адам, алдымен жаңалары.",
    hint: "Телефонның, аттың немесе идентификатордың басы",
    unnamed: "Аты жоқ",
    active: "белсенді",
    blocked: "бұғатталған",
    since: (day) => `${day} бастап`,
    sessions: (count) => `Ашық сессиялар: ${count}`,
    isOperator: "платформаны басқарады",
    organizations: "Ұйымдар",
    noOrganizations: "Бірде-біреуі жоқ.",
    block: "Бұғаттау",
    blockText: "Сессиялары бірден аяқталады, ұйымдарының кілттері қабылданбайды.",
    unblock: "Бұғаттан шығару",
    unblockText: "Қайта кіре алады, ұйымдарының кілттері қайта жұмыс істейді.",
    endSessions: "Сессияларды аяқтау",
    endSessionsText: "Әр құрылғыда қайта кіруі керек болады.",
    ended: (count) => `Аяқталған сессиялар: ${count}`,
    done: "Дайын"
  }
}
