/** The words of the console in Kazakh. */
import { kazakhPlatform } from "./KazakhPlatform.ts"
import type { OperatorTexts } from "./OperatorTexts.ts"

/** The texts of the console in Kazakh. */
export const kazakhOperator: OperatorTexts = {
  platform: kazakhPlatform,
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
  },
  merchants: {
    title: "Ұйымдар",
    text: "Барлық ұйым, алдымен жаңалары. Мұнда сатып алушылардың деректері жоқ.",
    hint: "Атаудың, идентификатордың, БСН-нің немесе иесі телефонының басы",
    active: "жұмыс істейді",
    archived: "мұрағатта",
    owner: "Иесі",
    tariff: "Тариф",
    endless: "мерзімсіз",
    used: "Нақты шоттар бүгін / айда",
    counts: "Мүшелер / кілттер / кассирлер",
    grant: "Тариф беру",
    grantText: "Тегін. Сол тариф ұзартылады.",
    months: "Ай саны (бос: мерзімсіз)",
    archive: "Мұрағатқа жіберу",
    archiveText: "Кілттері қабылданбайды, мүшелері кіре алмайды.",
    restore: "Мұрағаттан қайтару",
    restoreText: "Кілттері мен мүшелері қайта жұмыс істейді."
  },
  looks: {
    title: "Шоттар",
    one: "Шотты қарау",
    text: "Сатып алушылардың шоттары ұйымға тиесілі. Оны не үшін көру керегін жазыңыз: иесі оны журналынан оқиды.",
    invoice: "Шоттың идентификаторы",
    reason: "Себебі",
    reasonHint: "Кемінде 10 таңба",
    look: "Қарау",
    amount: "Сома",
    description: "Сипаттама",
    customer: "Сатып алушы",
    made: "Жасалған"
  }
}
