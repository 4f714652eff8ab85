/** The words of settings and roles in English. */
import type { OfficeTexts } from "./OfficeTexts.ts"

/** The texts of the office in English. */
export const englishOffice: OfficeTexts = {
  settings: {
    title: "Settings",
    about: "What customers see of you when they pay, on receipts and in letters.",
    seller: "Who sells",
    contact: "How customers reach you",
    contactText: "What is empty is not shown.",
    look: "Logo and colour",
    lookText: "Words stay readable whatever the colour is.",
    checkout: "Checkout",
    labels: {
      name: "Name",
      legalName: "Legal name",
      idn: "BIN or IIN",
      phone: "Phone",
      whatsapp: "WhatsApp",
      email: "E-mail",
      web: "Website",
      address: "Address",
      colour: "Colour",
      logo: "Logo",
      returnUrl: "Where customers go after they have paid",
      sites: "Sites that may show the checkout"
    },
    hints: {
      name: "Customers see it first",
      legalName: "As in your registration: on receipts",
      idn: "12 digits",
      logo: "PNG, JPEG or WebP up to 256 KB. A square looks best.",
      colour: "As #RRGGBB",
      returnUrl: "If an invoice names no other address",
      sites: "One on each line, as https://shop.kz. Ten at most; all others may not."
    },
    wrong: {
      name: "Enter a name of up to 100 characters.",
      idn: "It has 12 digits.",
      phone: "Enter all ten digits after +7.",
      whatsapp: "Enter all ten digits after +7.",
      email: "This is no e-mail address.",
      web: "This is no web address. Write it as https://shop.kz.",
      colour: "Write it as #RRGGBB, or choose it.",
      logo: "This file is no picture in PNG, JPEG or WebP.",
      returnUrl: "This is no web address. Write it as https://shop.kz/thanks.",
      sites: "Write each site as https://shop.kz, without a path; ten at most."
    },
    chooseLogo: "Choose a file",
    otherLogo: "Choose another",
    removeLogo: "Remove the logo",
    logoLarge: "This file is larger than 256 KB. Make it smaller.",
    ownColour: "Without a colour of one's own",
    previewPay: "When they pay",
    previewReceipt: "The receipt",
    previewPaid: "Paid",
    previewButton: "Open the bank's app",
    unsaved: "Not saved yet",
    discard: "Discard",
    archive: "Archive the organization",
    archiveText:
      "Keys, links and members are refused at once, and no payment can be made any more. " +
      "What was paid stays. Only the operator of the service can bring it back.",
    archived: "The organization is archived",
    archivedText: "Nothing can be seen or changed here. The operator of the service can bring it back."
  },
  rights: {
    title: "Who may do what",
    about: "Own: what belongs to the cashiers given to the member; the sandbox is open to them.",
    show: "Who may do what",
    what: "What",
    code: "Fresh code",
    reaches: { all: "Yes", own: "Own", limited: "Own, up to their limit", sandbox: "In the sandbox", none: "No" },
    codes: {
      always: "always",
      "live keys": "for live keys",
      "to switch to live": "to go live",
      "live, if large": "live, if the sum is large"
    },
    permissions: {
      "organization:read": "See the organization and its tariff",
      "organization:change": "Change what customers see: name, contact, colour, logo",
      "organization:archive": "Archive the organization",
      "mode:switch": "Switch between the sandbox and live",
      "members:read": "See the members",
      "members:change": "Invite members, give them other roles and cashiers, remove them",
      "journal:read": "See who did what, when, and from where, and take it along as a file",
      "keys:read": "See API keys, without their texts",
      "keys:bind": "Bind an API key to a cashier",
      "keys:change": "Make and delete API keys",
      "connections:read": "See the cashiers",
      "connections:change": "Add cashiers, switch them off, remove them",
      "connections:login": "Log cashiers in at the bank",
      "requests:read": "See the requests of API keys in the last day",
      "sandbox:change": "Move the sandbox’s clock and trigger events in it",
      "webhooks:read": "See webhooks and what was sent to them",
      "webhooks:change": "Change webhooks, send events again",
      "links:read": "See payment links and forms",
      "links:change": "Make and change payment links and forms",
      "subscriptions:read": "See subscriptions",
      "subscriptions:change": "Make, change, pause and cancel subscriptions, run them now",
      "reports:read": "See sums and totals",
      "reconciliation:read": "See what differs from the provider's own list",
      "reconciliation:change": "Have days compared, and end what differs with a note",
      "reports:letters": "Have the statement of each month by letter",
      "clients:read": "See the clients of a partner",
      "clients:change": "Open clients as a partner, and look after them",
      "invoices:read": "See invoices and their letters",
      "letters:resend": "Have a letter about an invoice sent again",
      "invoices:export": "Take invoices along as a file for spreadsheets",
      "invoices:create": "Make invoices",
      "invoices:cancel": "Cancel invoices",
      "invoices:simulate": "Pretend payments in the sandbox",
      "invoices:refund": "Give money back"
    }
  }
}
