/** The words of settings and roles in Russian. */
import type { OfficeTexts } from "./OfficeTexts.ts"

/** The texts of the office in Russian. */
export const russianOffice: OfficeTexts = {
  settings: {
    title: "Настройки",
    about: "Каким вас видят покупатели: при оплате, в чеках и письмах.",
    seller: "Кто продаёт",
    contact: "Как с вами связаться",
    contactText: "Пустое не показывается.",
    look: "Логотип и цвет",
    lookText: "Текст читается при любом цвете.",
    checkout: "Оплата",
    labels: {
      name: "Название",
      legalName: "Юридическое название",
      idn: "БИН или ИИН",
      phone: "Телефон",
      whatsapp: "WhatsApp",
      email: "Эл. почта",
      web: "Сайт",
      address: "Адрес",
      colour: "Цвет",
      logo: "Логотип",
      returnUrl: "Куда вернуть покупателя после оплаты",
      sites: "Сайты, на которых может открываться оплата"
    },
    hints: {
      name: "Покупатели видят его первым",
      legalName: "Как в документах: для чеков",
      idn: "12 цифр",
      logo: "PNG, JPEG или WebP до 256 КБ. Лучше квадратный.",
      colour: "В виде #RRGGBB",
      returnUrl: "Если в счёте не указан другой адрес",
      sites: "По одному в строке, например https://shop.kz. Не больше десяти; остальным нельзя."
    },
    wrong: {
      name: "Введите название до 100 символов.",
      idn: "Здесь 12 цифр.",
      phone: "Введите все десять цифр после +7.",
      whatsapp: "Введите все десять цифр после +7.",
      email: "Это не адрес эл. почты.",
      web: "Это не адрес сайта. Пример: https://shop.kz.",
      colour: "Напишите в виде #RRGGBB или выберите.",
      logo: "Этот файл — не картинка PNG, JPEG или WebP.",
      returnUrl: "Это не адрес страницы. Пример: https://shop.kz/thanks.",
      sites: "Пишите каждый сайт как https://shop.kz, без пути; не больше десяти."
    },
    chooseLogo: "Выбрать файл",
    otherLogo: "Выбрать другой",
    removeLogo: "Убрать логотип",
    logoLarge: "Файл больше 256 КБ. Уменьшите его.",
    ownColour: "Без своего цвета",
    previewPay: "При оплате",
    previewReceipt: "Чек",
    previewPaid: "Оплачено",
    previewButton: "Открыть приложение банка",
    unsaved: "Ещё не сохранено",
    discard: "Отменить",
    archive: "Архивировать организацию",
    archiveText:
      "Ключи, ссылки и участники сразу перестают работать, платежей больше не будет. " +
      "Оплаченное остаётся. Вернуть может только оператор сервиса.",
    archived: "Организация в архиве",
    archivedText: "Здесь ничего нельзя посмотреть или изменить. Вернуть может оператор сервиса."
  },
  rights: {
    title: "Кому что можно",
    about: "Свои — то, что относится к кассирам, данным участнику; песочница открыта и ему.",
    show: "Кому что можно",
    what: "Что",
    code: "Свежий код",
    reaches: { all: "Да", own: "Свои", limited: "Свои, до своего предела", sandbox: "В песочнице", none: "Нет" },
    codes: {
      always: "всегда",
      "live keys": "для боевых ключей",
      "to switch to live": "при переходе в боевой режим",
      "live, if large": "боевые, если сумма велика"
    },
    permissions: {
      "organization:read": "Видеть организацию и её тариф",
      "organization:change": "Менять то, что видят покупатели: название, контакты, цвет, логотип",
      "organization:archive": "Архивировать организацию",
      "mode:switch": "Переключать песочницу и боевой режим",
      "members:read": "Видеть участников",
      "members:change": "Менять роли и кассиров участников, удалять их",
      "keys:read": "Видеть API-ключи без их текста",
      "keys:bind": "Привязывать API-ключ к кассиру",
      "keys:change": "Создавать и удалять API-ключи",
      "connections:read": "Видеть кассиров",
      "connections:change": "Добавлять, выключать и удалять кассиров",
      "connections:login": "Входить за кассиров в банк",
      "webhooks:read": "Видеть вебхуки и то, что на них отправлено",
      "webhooks:change": "Менять вебхуки, отправлять события снова",
      "links:read": "Видеть платёжные ссылки и формы",
      "links:change": "Создавать и менять платёжные ссылки и формы",
      "subscriptions:read": "Видеть подписки",
      "subscriptions:change": "Создавать, менять, приостанавливать и отменять подписки, запускать их сразу",
      "reports:read": "Видеть суммы и итоги",
      "invoices:read": "Видеть счета и письма о них",
      "invoices:export": "Выгружать счета файлом для таблиц",
      "invoices:create": "Выставлять счета",
      "invoices:cancel": "Отменять счета",
      "invoices:simulate": "Имитировать оплату в песочнице",
      "invoices:refund": "Возвращать деньги"
    }
  }
}
