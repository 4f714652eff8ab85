/** The words of invitations in Kazakh. */
import type { InvitationsTexts } from "./InvitationsTexts.ts"

/** The texts of invitations in Kazakh. */
export const kazakhInvitations: InvitationsTexts = {
  invite: "Шақыру",
  about: "Адам осы нөмірмен кіргенде шақыруды көреді. Оған хабар жіберілмейді.",
  phone: "Адамның телефоны",
  send: "Шақыру",
  made: "Шақыру дайын",
  tell: (phone) => `Осында ${phone} нөмірімен кіруін сұраңыз. Шақыру жеті күн күтеді.`,
  copy: "Мекенжайды көшіру",
  share: "Бөлісу",
  done: "Дайын",
  title: "Шақырулар",
  listed: "Адам осы нөмірмен кіріп, келіскенде командаға қосылады.",
  until: (day) => `${day} дейін жарамды`,
  statuses: {
    pending: "жауап күтуде",
    accepted: "қабылданды",
    declined: "бас тартылды",
    withdrawn: "қайтарып алынды",
    expired: "мерзімі өтті"
  },
  withdraw: "Қайтарып алу",
  withdrawn: "Шақыру қайтарып алынды",
  yours: "Сізді шақырады",
  yoursText: "Күтпеген шақыруды қабылдамаңыз: шақырған адамнан сұраңыз.",
  accept: "Қабылдау",
  decline: "Бас тарту",
  joined: (name) => `Сіз командадасыз: ${name}`
}
