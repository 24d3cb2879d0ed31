import { z } from 'zod'
import { linkToken, newPassword, personName } from './accounts.ts'
import { Session } from './auth.ts'
import { email, id, instant, listChannel, route, spokenLanguage } from './kit.ts'
import { Profile, QueueTag } from './users.ts'

/** For so long an invitation can be accepted. */
export const INVITATION_DAYS = 7

export const InvitationInput = z.object({
  email,
  name: personName.or(z.literal('')).optional(),
  profile: Profile.optional(),
  userAuthorizationId: id.nullable().optional(),
  whatsappId: id.nullable().optional(),
  queueIds: z.array(id).max(200).optional(),
  language: spokenLanguage.optional(),
})
export type InvitationInput = z.infer<typeof InvitationInput>

/** What somebody gives who accepts. */
export const Acceptance = z.object({ token: linkToken, name: personName, password: newPassword })

/** How far its letter got; `none` where no mail is set up. */
export const Delivery = z.enum(['none', 'waiting', 'sent', 'failed'])

/** Somebody who was invited and has not accepted yet. */
export const Invitation = z.object({
  id: z.int(),
  email: z.string(),
  name: z.string(),
  profile: Profile,
  userAuthorization: z.object({ id: z.int(), name: z.string() }).nullable(),
  queues: z.array(QueueTag),
  /** Who invited; null when he left. */
  invitedBy: z.string().nullable(),
  expiresAt: instant,
  createdAt: instant,
  delivery: Delivery,
})
export type Invitation = z.infer<typeof Invitation>

const invitationId = z.object({ invitationId: id })

/** With the link behind the web app’s address where no mail is set up: whoever invited hands it over. */
const Invited = z.object({ invitation: Invitation, link: z.string().nullable() })

export const invitations = {
  list: route('GET', '/invitations', {
    needs: 'administration',
    says: 'Who was invited and has not accepted, the latest first, at most 200.',
    reply: z.array(Invitation),
  }),
  create: route('POST', '/invitations', {
    needs: 'administration',
    says: 'Invites somebody by mail within the plan. Answers the link instead where no mail is set up.',
    body: InvitationInput,
    reply: Invited,
    limit: { counts: 'calls', caller: 120 },
  }),
  resend: route('POST', '/invitations/:invitationId/resend', {
    needs: 'administration',
    says: 'Sends a new link, good for another seven days; the former one ends.',
    params: invitationId,
    reply: Invited,
    limit: { counts: 'calls', caller: 20 },
  }),
  withdraw: route('DELETE', '/invitations/:invitationId', {
    needs: 'administration',
    says: 'Withdraws an invitation: its link ends.',
    params: invitationId,
  }),
  look: route('POST', '/auth/invitation', {
    needs: 'nobody',
    says: 'Who invites whom, by the link of a letter; a POST, since addresses are written into logs.',
    body: z.object({ token: linkToken }),
    reply: z.object({
      companyName: z.string(),
      email: z.string(),
      name: z.string(),
      invitedBy: z.string().nullable(),
    }),
    limit: { counts: 'failures', caller: 30, all: 600 },
  }),
  accept: route('POST', '/auth/invitation/accept', {
    needs: 'nobody',
    says: 'Becomes a user by the link of a letter, once, within the plan, and opens a session.',
    body: Acceptance,
    reply: Session,
    limit: { counts: 'failures', caller: 30, all: 600 },
  }),
}

/** For those who may invite. */
export const invitationChannel = listChannel('invitation', Invitation)
