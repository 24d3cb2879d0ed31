import { randomUUID } from 'node:crypto'
import { INVITATION_DAYS, type Invitation, type InvitationInput } from '@balcao/contract/invitations.ts'
import type { Platform } from '../../platform/app.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { pathOf } from '../../platform/links.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { and, eq, lt, sql as tag } from '../../platform/sql.ts'
import { accountByEmail } from '../auth/auth.queries.ts'
import { ownCompany } from '../companies/companies.queries.ts'
import { forgetMail, writeMail } from '../mails/mails.actions.ts'
import { refuseIncomplete, userIdsInCompany } from '../users/users.checks.ts'
import { withDefaults } from '../users/users.defaults.ts'
import { refuseWithoutSeat } from '../users/users.seats.ts'
import { invitationChanged } from './invitations.events.ts'
import { causeOf, countOpen, findInvitation, type InvitationRow } from './invitations.queries.ts'
import { invitations } from './invitations.table.ts'
import { invitationLetter } from './invitations.text.ts'

type Tools = Pick<Platform, 'mail' | 'secrets' | 'scopes'>
type Invited = { invitation: Invitation; link: string | null }

/**
 * Invites somebody within the plan, where who was invited counts as if he were there. Answers the link where no mail
 * is set up. Refuses with ERR_NO_COMPANY_PLAN, ERR_NO_LIMIT_USER, ERR_EMAIL_EXISTS, ERR_BAD_REQUEST for what is
 * missing as a new user’s would be.
 */
export async function invite(scope: Scope, tools: Tools, input: InvitationInput): Promise<Invited> {
  const me = viewerOf(scope)
  const { email, name = '', language = 'ptBR' } = input
  if (await tools.scopes.platform().transaction(sql => accountByEmail(sql, email)))
    refuse('ERR_EMAIL_EXISTS', { field: 'email' })
  return orInvited(
    scope.transaction(async tx => {
      await refuseWithoutSeat(tx, () => countOpen(tx))
      const given = me.master === 1 ? input : await withDefaults(tx, { ...input, name })
      if (me.master !== 1) refuseIncomplete(given)
      await userIdsInCompany(tx, given)
      await dropExpired(tx, email)
      const [row] = await tx.sql
        .insert(invitations)
        .values({
          companyId: tx.companyId,
          email,
          name,
          language,
          profile: given.profile ?? 'user',
          userAuthorizationId: given.userAuthorizationId ?? null,
          whatsappId: given.whatsappId ?? null,
          queueIds: [...new Set(given.queueIds ?? [])],
          invitedBy: me.name,
          expiresAt: inSevenDays(),
        })
        .returning()
      return send(tx, tools, row!, true)
    }),
  )
}

/** Sends a new link; the former one ends. Refuses with ERR_NOT_FOUND, ERR_NO_LIMIT_USER where the old one was over. */
export const sendInvitationAgain = (scope: Scope, tools: Tools, invitationId: number): Promise<Invited> =>
  scope.transaction(async tx => {
    const before = await lock(tx, invitationId)
    // its seat was given back when it ended
    if (Date.parse(before.expiresAt) <= Date.now()) await refuseWithoutSeat(tx, () => countOpen(tx))
    await forgetMail(tx, causeOf(before.linkId))
    const [row] = await tx.sql
      .update(invitations)
      .set({ linkId: randomUUID(), expiresAt: inSevenDays(), invitedBy: viewerOf(scope).name })
      .where(own(tx, invitationId))
      .returning()
    return send(tx, tools, row!, false)
  })

/** Its link ends, and a letter that waits is not sent. Refuses with ERR_NOT_FOUND. */
export const withdraw = (scope: Scope, invitationId: number) =>
  scope.transaction(async tx => {
    const { linkId } = await lock(tx, invitationId)
    await forgetMail(tx, causeOf(linkId))
    await removeInvitation(tx, invitationId)
  })

/** False when it was gone already: of two who accept at once one does. */
export async function removeInvitation(tx: Tx, invitationId: number): Promise<boolean> {
  const gone = await tx.sql.delete(invitations).where(own(tx, invitationId)).returning({ id: invitations.id })
  if (gone.length > 0) tx.emit(invitationChanged, { action: 'delete', invitationId })
  return gone.length > 0
}

/** Invitations into a group that is about to go fall back to the defaults, as its users do (OP-70). */
export async function detachAuthorization(tx: Tx, userAuthorizationId: number) {
  await tx.sql
    .update(invitations)
    .set({ userAuthorizationId: null })
    .where(
      and(eq(invitations.companyId, tx.companyId), eq(invitations.userAuthorizationId, userAuthorizationId)),
    )
}

async function send(
  tx: Tx,
  { mail, secrets }: Tools,
  { id, email, language, invitedBy, linkId }: InvitationRow,
  created: boolean,
): Promise<Invited> {
  const link = { purpose: 'invitation' as const, id: linkId }
  if (mail.isSetUp) {
    const { companyName } = await ownCompany(tx)
    const letter = invitationLetter(language, { invitedBy, companyName })
    await writeMail(tx, { cause: causeOf(linkId), to: email, letter, link })
  }
  const invitation = await findInvitation(tx, id)
  tx.emit(invitationChanged, { action: created ? 'create' : 'update', invitation })
  return { invitation, link: mail.isSetUp ? null : pathOf(secrets.links, link) }
}

async function lock(tx: Tx, invitationId: number): Promise<InvitationRow> {
  const [row] = await tx.sql.select().from(invitations).where(own(tx, invitationId)).for('update')
  return row ?? refuse('ERR_NOT_FOUND')
}

/** Whoever let an invitation end is invited again as if he had never been. */
const dropExpired = (tx: Tx, email: string) =>
  tx.sql
    .delete(invitations)
    .where(
      and(
        eq(invitations.companyId, tx.companyId),
        eq(tag`lower(${invitations.email})`, email.toLowerCase()),
        lt(invitations.expiresAt, tag`now()`),
      ),
    )

const own = (tx: Tx, invitationId: number) =>
  and(eq(invitations.companyId, tx.companyId), eq(invitations.id, invitationId))
const inSevenDays = () => new Date(Date.now() + INVITATION_DAYS * 86_400_000).toISOString()

const orInvited = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'invitations_email')) return refuse('ERR_EMAIL_EXISTS', { field: 'email' })
    throw error
  })
