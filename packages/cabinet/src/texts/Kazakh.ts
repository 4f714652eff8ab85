/** The words of the cabinet in Kazakh. */
import { catalogue as refusals } from "virtual:catalogue/kk"
import type { Texts } from "./Texts.ts"

/** The cabinet's texts in Kazakh. */
export const kazakh: Texts = {
  name: "Қазақша",
  login: {
    title: "Кабинетке кіру",
    about: "Телефоныңызға код жібереміз. Құпиясөз жаттаудың қажеті жоқ.",
    joinTitle: "Төлем қабылдай бастаңыз",
    joinAbout: "Тіркелу бір минут алады. Алдымен тест режимінде боласыз, онда ақша аударылмайды.",
    overTitle: "Қайта кіріңіз",
    overAbout: "Сессия аяқталды. Жазғаныңыздың бәрі орнында қалады.",
    invited: (code) => `${code} коды бойынша шақырылдыңыз`,
    phone: "Телефон",
    phoneShort: "+7-ден кейінгі он цифрдың бәрін енгізіңіз.",
    personName: "Атыңыз",
    nameHint: "Әріптестеріңіз сізді тануы үшін",
    send: "Код алу",
    toJoin: "Алғаш рет пе? Тіркеліңіз",
    toLogin: "Тіркелгенсіз бе? Кіріңіз",
    codeTitle: "Кодты енгізіңіз",
    codeSent: (phone) => `${phone} нөміріне жіберілді. Бес минут жарамды.`,
    code: "Код",
    enter: "Кіру",
    otherPhone: "Басқа нөмір",
    resend: "Жаңа код жіберу",
    resendIn: (time) => `Жаңа код: ${time}`,
    sentAgain: "Жаңа код жіберілді.",
    via: (channel) => `${channel} арқылы жіберу`,
    away: "Серверге қосылу мүмкін емес.",
    language: "Тіл"
  },
  shell: {
    menu: "Бөлімдер",
    skip: "Мазмұнға өту",
    profile: "Профиль",
    organization: "Ұйым",
    home: "Шолу",
    keys: "API кілттері",
    mode: "Режим",
    sandbox: "Тест режимі",
    sandboxText: "мұнда ақша аударылмайды",
    live: "Жұмыс режимі",
    theme: "Көрініс",
    themes: {
      system: "Жүйедегідей",
      light: "Ашық",
      dark: "Қараңғы"
    },
    logout: "Шығу",
    docs: "Құжаттама"
  },
  profile: {
    title: "Профиль",
    account: "Аккаунт",
    unnamed: "Аты көрсетілмеген",
    appearance: "Тіл және көрініс",
    sessions: "Қай жерден кірдіңіз",
    sessionsText: "Танымайтыныңызды аяқтаңыз: ол құрылғыдан қайта кіруге тура келеді.",
    current: "осы құрылғы",
    seen: (when) => `Соңғы рет: ${when}`,
    unknownDevice: "Белгісіз құрылғы",
    end: "Аяқтау",
    endOthers: "Қалғандарын аяқтау",
    ended: "Сессия аяқталды",
    othersEnded: (count) => `${count} сессия аяқталды`,
    referral: "Досыңызды шақырыңыз",
    referralText: "Ол тарифке төлеген ақшаның бір үлесі сізге беріледі.",
    referralLink: "Сіздің сілтемеңіз",
    brought: "Шақырылды",
    earned: "Есептелді",
    paidOut: "Төленді",
    organizations: "Ұйымдар",
    noOrganizations: "Сіз әзірге ешбір ұйымда жоқсыз.",
    roles: {
      owner: "Иесі",
      manager: "Басқарушы",
      accountant: "Бухгалтер",
      cashier: "Кассир",
      developer: "Әзірлеуші",
      operator: "Оператор"
    }
  },
  home: {
    tariff: "Тариф",
    tariffUntil: (day) => `${day} дейін жарамды`,
    tariffOver: "Мерзімі бітті: жұмыс режимінде шот жасауға болмайды.",
    month: "Осы айда",
    day: "Бүгін",
    used: (used, limit) => `${limit} ішінен ${used}`,
    usedText: "Жұмыс режиміндегі шоттар. Тест режимі есептелмейді.",
    role: "Сіздің рөліңіз",
    idn: "БСН немесе ЖСН",
    legalName: "Заңды атауы",
    since: "Тіркелген күні",
    archived: "Ұйым мұрағатта. Мұнда ештеңені өзгертуге болмайды."
  },
  keys: {
    title: "API кілттері",
    about: "Бағдарламалар API-ді осылармен шақырады. Кілт мәтіні жасалғанда бір рет қана көрсетіледі.",
    none: "Әзірге кілт жоқ",
    noneText: "Кілт сіз үшін шот жасайтын бағдарламаларға керек.",
    lastUsed: (when) => `Соңғы рет: ${when}`,
    neverUsed: "Әлі қолданылмаған",
    made: (when) => `Жасалған: ${when}`,
    bound: "Кассирге байланған"
  },
  common: {
    offline: "Байланыс жоқ",
    offlineText: "Экрандағы деректер ескіруі мүмкін. Бәрі өзі жалғасады.",
    again: "Қайталау",
    cancel: "Бас тарту",
    close: "Жабу",
    copy: "Көшіру",
    copied: "Көшірілді",
    undo: "Қайтару",
    failed: "Болмады",
    failedText: "Сіздің кінәңіз емес. Қайталап көріңіз; көмектеспесе, қызмет операторына хабарлаңыз.",
    notFound: "Бет табылмады",
    notFoundText: "Көшірілген болуы мүмкін немесе мекенжайда қате бар.",
    home: "Басына",
    advice: {
      invalid_code: "Соңғы хабарламаны қараңыз: тек сондағы код жарамды.",
      challenge_expired: "Жаңасын жіберіңіз.",
      challenge_used: "Жаңасын жіберіңіз.",
      too_many_attempts: "Ескі код енді жарамсыз. Жаңасын жіберіңіз.",
      account_blocked: "Оны ашу үшін қызмет операторына жазыңыз.",
      no_channel: "Оператор код жіберуді баптауы керек: tolem serve --login-channel.",
      channel_forbidden: "Код алудың басқа жолын таңдаңыз.",
      invalid_phone: "Қазақстан нөмірлері +7 7 деп басталады.",
      rate_limited: "Алдыңғы код әлі жарамды болуы мүмкін: хабарламаларды қараңыз.",
      invalid_name: "Ат 100 таңбадан аспауы керек, жолға бөлінбейді.",
      cross_site_request: "Бетті жаңартып, өз мекенжайынан ашыңыз.",
      service_unavailable: "Сәл кейінірек қайталаңыз.",
      internal_error: "Сәл кейінірек қайталаңыз.",
      offline: "Байланысты тексеріп, қайталаңыз."
    }
  }
}

/** What the codes of refusals mean, in Kazakh. */
export const kazakhRefusals: Readonly<Record<string, string>> = refusals
