import { type InvitationInput, invitations } from '@balcao/contract/invitations.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { askAgain } from '../../platform/query.ts'
import { INVITATIONS } from './invitations.live.ts'

/** Answers the link to pass on where no mail is set up, else null. Throws ApiError. */
export const invite = (body: InvitationInput) => followed(call(invitations.create, { body }))

/** The same for a previously invited user; the previous link becomes invalid. Throws ApiError. */
export const inviteAgain = (invitationId: number) =>
  followed(call(invitations.resend, { params: { invitationId } }))

/** Throws ApiError. */
export async function withdrawInvitation(invitationId: number): Promise<void> {
  await call(invitations.withdraw, { params: { invitationId } })
  await askAgain({ queryKey: INVITATIONS })
}

/** The invitation of a link. */
export const lookAt = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => call(invitations.look, { body: { token } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Answers the session of the new user. Throws ApiError. */
export const acceptInvitation = (body: { token: string; name: string; password: string }) =>
  call(invitations.accept, { body })

async function followed(asked: Promise<{ link: string | null }>): Promise<string | null> {
  const { link } = await asked
  await askAgain({ queryKey: INVITATIONS })
  return link && location.origin + link
}
