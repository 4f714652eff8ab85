/** Why a letter was not sent, or may not have been, where that is not for the mail server to say. */

/** What is stored as the `reason` of a letter. Whatever else stands there are the words of a mail server. */
export const mailReasons = {
  strangers:
    "letters of the sandbox go to the organization's members (to the owner that a partner has named once they have " +
    "logged in) and to the operator's test addresses",
  serverEnded: "the server ended while handing it over",
  invoiceGone: "its invoice is gone",
  invoiceClosed: "its invoice is not open any more"
} as const

/** Names of the reasons. */
export type MailReason = keyof typeof mailReasons
