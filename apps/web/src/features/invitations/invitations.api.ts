import { type InvitationInput, invitations } from '@balcao/contract/invitations.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { askAgain } from '../../platform/query.ts'
import { INVITATIONS } from './invitations.live.ts'

/** Who was invited and has not accepted. */
export const openInvitations = queryOptions({
  queryKey: INVITATIONS,
  queryFn: () => call(invitations.list),
})

/** Answers the address to hand over where no mail is set up, else null. Throws ApiError. */
export const invite = (body: InvitationInput) => followed(call(invitations.create, { body }))

/** The same for one who was invited before; the former link ends. Throws ApiError. */
export const inviteAgain = (invitationId: number) =>
  followed(call(invitations.resend, { params: { invitationId } }))

/** Throws ApiError. */
export async function withdrawInvitation(invitationId: number): Promise<void> {
  await call(invitations.withdraw, { params: { invitationId } })
  await askAgain({ queryKey: INVITATIONS })
}

/** Whom a link is for.. */
export const lookAt = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => call(invitations.look, { body: { token } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Answers the session of who is a user now. Throws ApiError. */
export const acceptInvitation = (body: { token: string; name: string; password: string }) =>
  call(invitations.accept, { body })

async function followed(asked: Promise<{ link: string | null }>): Promise<string | null> {
  const { link } = await asked
  await askAgain({ queryKey: INVITATIONS })
  return link && location.origin + link
}
