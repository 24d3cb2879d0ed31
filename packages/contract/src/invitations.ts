import { z } from 'zod'
import { linkToken, newPassword, personName } from './accounts.ts'
import { Session } from './auth.ts'
import { email, id, instant, listChannel, localeTag, route } from './kit.ts'
import { Profile, QueueTag } from './users.ts'

/** Days in which an invitation can be accepted. */
export const INVITATION_DAYS = 7

export const InvitationInput = z.object({
  email,
  name: personName.or(z.literal('')).optional(),
  profile: Profile.optional(),
  userAuthorizationId: id.nullable().optional(),
  whatsappId: id.nullable().optional(),
  queueIds: z.array(id).max(200).optional(),
  language: localeTag.optional(),
})
export type InvitationInput = z.infer<typeof InvitationInput>

/** Input for accepting an invitation. */
export const Acceptance = z.object({ token: linkToken, name: personName, password: newPassword })

/** How far its letter got; `none` where no mail is set up. */
export const Delivery = z.enum(['none', 'waiting', 'sent', 'failed'])

/** An invited user who has not accepted yet. */
export const Invitation = z.object({
  id: z.int(),
  email: z.string(),
  name: z.string(),
  profile: Profile,
  userAuthorization: z.object({ id: z.int(), name: z.string() }).nullable(),
  queues: z.array(QueueTag),
  /** The inviting user; null when deleted. */
  invitedBy: z.string().nullable(),
  expiresAt: instant,
  createdAt: instant,
  delivery: Delivery,
})
export type Invitation = z.infer<typeof Invitation>

const invitationId = z.object({ invitationId: id })

/** With the link behind the web app’s address where no mail is set up: the inviting user passes it on. */
const Invited = z.object({ invitation: Invitation, link: z.string().nullable() })

export const invitations = {
  list: route('GET', '/invitations', {
    needs: 'administration',
    summary: 'Who was invited and has not accepted, the latest first, at most 200.',
    reply: z.array(Invitation),
  }),
  create: route('POST', '/invitations', {
    needs: 'administration',
    summary: 'Invites somebody by mail within the plan. Answers the link instead where no mail is set up.',
    body: InvitationInput,
    reply: Invited,
    limit: { counts: 'calls', caller: 120 },
  }),
  resend: route('POST', '/invitations/:invitationId/resend', {
    needs: 'administration',
    summary: 'Sends a new link, good for another seven days; the former one ends.',
    params: invitationId,
    reply: Invited,
    limit: { counts: 'calls', caller: 20 },
  }),
  withdraw: route('DELETE', '/invitations/:invitationId', {
    needs: 'administration',
    summary: 'Withdraws an invitation: its link ends.',
    params: invitationId,
  }),
  look: route('POST', '/auth/invitation', {
    needs: 'nobody',
    summary: 'Who invites whom, by the link of a letter; a POST, since addresses are written into logs.',
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
    summary: 'Becomes a user by the link of a letter, once, within the plan, and opens a session.',
    body: Acceptance,
    reply: Session,
    limit: { counts: 'failures', caller: 30, all: 600 },
  }),
}

/** For users who may invite. */
export const invitationChannel = listChannel('invitation', Invitation)
