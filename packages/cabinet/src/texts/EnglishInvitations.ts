/** The words of invitations in English. */
import type { InvitationsTexts } from "./InvitationsTexts.ts"

/** The texts of invitations in English. */
export const englishInvitations: InvitationsTexts = {
  invite: "Invite",
  about: "The person logs in with this number and finds your invitation. No message is sent to them.",
  phone: "Their phone",
  send: "Invite",
  made: "Invited",
  tell: (phone) => `Tell them to log in here with ${phone}. The invitation waits for them, for seven days.`,
  copy: "Copy the address",
  share: "Share",
  done: "Done",
  title: "Invitations",
  listed: "People join when they have logged in with this number and accepted.",
  until: (day) => `open until ${day}`,
  statuses: {
    pending: "waits",
    accepted: "accepted",
    declined: "declined",
    withdrawn: "withdrawn",
    expired: "expired"
  },
  withdraw: "Withdraw",
  withdrawn: "The invitation is withdrawn",
  yours: "You are invited",
  yoursText: "Accept only what you expect: ask the person who invited you.",
  accept: "Accept",
  decline: "Decline",
  joined: (name) => `You are in the team of ${name}`
}
