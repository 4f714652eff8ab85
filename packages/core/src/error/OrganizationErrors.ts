/** Errors of organizations: their members, keys, and what customers see of them. */
import { final } from "./CatalogEntry.ts"

/** Codes of organizations and their members. */
export const organizations = {
  ...final(403, {
    refund_not_allowed: [
      "Сізге мұндай қайтаруға рұқсат жоқ немесе сома шегіңізден асады.",
      "Вам не разрешён такой возврат, или сумма больше вашего предела.",
      "You may not refund, or not as much at once."
    ],
    fresh_code_required: [
      "Бұл әрекетке жаңа код қажет. POST /panel/session/code арқылы сұраңыз.",
      "Для этого действия нужен свежий код. Запросите его через POST /panel/session/code.",
      "This needs a fresh code. Request one with POST /panel/session/code."
    ]
  }),
  ...final(404, {
    invitation_not_found: ["Мұндай шақыру жоқ.", "Такого приглашения нет.", "There is no such invitation."],
    work_item_not_found: ["Мұндай айырмашылық жоқ.", "Такого расхождения нет.", "There is no such difference."]
  }),
  ...final(409, {
    invitation_closed: [
      "Шақыру бұдан былай жарамсыз: оған жауап берілген, ол қайтарып алынған немесе мерзімі өткен.",
      "Приглашение больше не действует: на него ответили, его отозвали или срок истёк.",
      "The invitation is no longer open: it was answered, withdrawn, or has expired."
    ],
    work_item_closed: [
      "Бұл айырмашылық жабылған немесе дәл қазір өзгертілді.",
      "Это расхождение уже закрыто или только что изменено.",
      "This difference has ended, or was changed at the same moment."
    ],
    already_member: [
      "Бұл адам қазірдің өзінде ұйым мүшесі.",
      "Этот человек уже участник организации.",
      "This person is a member of the organization already."
    ],
    too_many_invitations: [
      "Жауап күтіп тұрған шақырулар тым көп. Керек емесін қайтарып алыңыз.",
      "Слишком много приглашений ждут ответа. Отзовите ненужное.",
      "Too many invitations wait for an answer. Withdraw one that is not needed."
    ]
  }),
  ...final(422, {
    invalid_role: [
      "Рөл manager, accountant, cashier немесе developer болуы керек.",
      "Роль должна быть manager, accountant, cashier или developer.",
      "The role must be manager, accountant, cashier or developer."
    ],
    invalid_day: [
      "Күн жарамсыз: аяқталған және 400 күннен ескі емес күн болуы керек.",
      "Неверный день: он должен закончиться и быть не старше 400 дней.",
      "The day must have ended, and must not be more than 400 days ago."
    ],
    invalid_note: [
      "note 3–500 таңба болуы керек.",
      "note — от 3 до 500 символов.",
      "note must have 3 to 500 characters."
    ],
    invalid_connection_ids: [
      "connectionIds ұйым кассирлерінің тізімі болуы керек, 50-ден аспайды.",
      "connectionIds — список кассиров организации, не более 50.",
      "connectionIds must be a list of the organization's cashiers, 50 at most."
    ],
    invalid_refund_limit: [
      "refundLimit теңгедегі оң сома немесе null болуы керек.",
      "refundLimit — положительная сумма в тенге или null.",
      "refundLimit must be a positive amount in tenge, or null."
    ],
    too_many_organizations: [
      "Ұйымдарыңыздың саны шектен асты.",
      "У вас слишком много организаций.",
      "You have too many organizations."
    ],
    too_many_keys: [
      "Кілттердің саны шектен асты. Қажетсізін жойыңыз.",
      "Слишком много ключей. Удалите ненужный.",
      "There are too many keys. Delete one that is not needed."
    ],
    invalid_contact: [
      "contact: phone, whatsapp, email, web, address мүшелері бар нысан немесе null болуы керек.",
      "contact — объект с членами phone, whatsapp, email, web, address или null.",
      "contact must be an object of phone, whatsapp, email, web and address, or null."
    ],
    invalid_address: [
      "Мекенжай бір жолдан тұратын, 200 таңбадан аспайтын мәтін болуы керек.",
      "Адрес — текст в одну строку до 200 знаков.",
      "The address must be one line of at most 200 characters."
    ],
    invalid_colour: [
      "Түс #RRGGBB түрінде болуы керек.",
      "Цвет — в виде #RRGGBB.",
      "The colour must have the form #RRGGBB."
    ],
    invalid_picture: [
      "Сурет PNG, JPEG немесе WebP болуы керек: 256 КиБ-қа дейін, қабырғасы 4096 пиксельден аспайды.",
      "Картинка должна быть PNG, JPEG или WebP: до 256 КиБ, не больше 4096 пикселей по стороне.",
      "The picture must be PNG, JPEG or WebP, of at most 256 KiB and 4096 pixels a side."
    ]
  }),
  ...final(429, {
    invitation_limit: [
      "Бүгін тым көп шақыру жіберілді. Ертең қайталап көріңіз.",
      "Сегодня приглашений слишком много. Попробуйте завтра.",
      "Too many invitations today. Try again tomorrow."
    ]
  }),
  ...final(501, {
    pictures_unavailable: [
      "Бұл сервер суреттерді қабылдай алмайды.",
      "Этот сервер не принимает картинки.",
      "This server cannot take pictures."
    ]
  })
}
