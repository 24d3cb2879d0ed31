import { randomUUID } from 'node:crypto'
import { INVITATION_DAYS, type Invitation, type InvitationInput } from '@balcao/contract/invitations.ts'
import { pathOf, readLink } from '../../platform/access/links.ts'
import { hashNewPassword } from '../../platform/access/passwords.ts'
import type { Platform } from '../../platform/app.ts'
import { databaseNow } from '../../platform/clock.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { type PlatformScope, type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { refuseManyLetters } from '../accounts/accounts.actions.ts'
import { type Client, type OpenedSession, openSession } from '../auth/auth.actions.ts'
import { accountByEmail } from '../auth/auth.queries.ts'
import { tried } from '../auth/auth.tries.queries.ts'
import { ownCompany } from '../companies/companies.queries.ts'
import { writeMail } from '../mails/mails.actions.ts'
import { forgetMail } from '../mails/mails.queries.ts'
import { addInvitedUser } from '../users/users.actions.ts'
import { refuseWithoutSeat, userIdsInCompany } from '../users/users.checks.queries.ts'
import { withDefaults } from '../users/users.defaults.actions.ts'
import { refuseIncomplete } from '../users/users.rules.ts'
import { invitationChanged } from './invitations.events.ts'
import {
  causeOf,
  countOpen,
  deleteExpired,
  deleteInvitation,
  findInvitation,
  type InvitationRow,
  insertInvitation,
  invitationsBy,
  lockInvitation,
  moveInvitations,
  openInvitation,
  updateInvitation,
} from './invitations.queries.ts'
import { invitationLetter } from './invitations.text.ts'

type Tools = Pick<Platform, 'mail' | 'secrets' | 'scopes'>
const BY_COMPANY = { free: 200, waitMinutes: 60 }

type Invited = { invitation: Invitation; link: string | null }

/**
 * Invites a user within the plan; an open invitation reserves a seat. Returns the link where mail is not set up. Refuses
 * with ERR_NO_COMPANY_PLAN, ERR_NO_LIMIT_USER, ERR_EMAIL_EXISTS, ERR_BAD_REQUEST for the missing fields of a new user.
 */
export async function invite(scope: Scope, tools: Tools, input: InvitationInput): Promise<Invited> {
  const me = viewerOf(scope)
  const { email, name = '', language = 'ptBR' } = input
  if (await tools.scopes.platform().transaction(sql => accountByEmail(sql, email)))
    refuse('ERR_EMAIL_EXISTS', { field: 'email' })
  await refuseMany(scope, tools, email)
  return orInvited(
    scope.transaction(async tx => {
      await refuseWithoutSeat(tx, () => countOpen(tx))
      const given = me.master === 1 ? input : await withDefaults(tx, { ...input, name })
      if (me.master !== 1) refuseIncomplete(given)
      await userIdsInCompany(tx, given)
      await deleteExpired(tx, email)
      const row = await insertInvitation(tx, {
        email,
        name,
        language,
        profile: given.profile ?? 'user',
        userAuthorizationId: given.userAuthorizationId ?? null,
        whatsappId: given.whatsappId ?? null,
        queueIds: [...new Set(given.queueIds ?? [])],
        invitedBy: me.name,
        userId: me.id,
        expiresAt: inSevenDays(),
      })
      return send(tx, tools, row, { created: true })
    }),
  )
}

/**
 * Sends a new link, which replaces the previous one. Refuses with ERR_NOT_FOUND, for an expired one with
 * ERR_NO_LIMIT_USER, ERR_TOO_MANY_REQUESTS.
 */
export async function sendInvitationAgain(
  scope: Scope,
  tools: Tools,
  invitationId: number,
): Promise<Invited> {
  const { email } = await scope.read(tx => findInvitation(tx, invitationId))
  await refuseMany(scope, tools, email)
  return scope.transaction(async tx => {
    const before = await lockInvitation(tx, invitationId)
    // an expired one reserves no seat
    if (Date.parse(before.expiresAt) <= databaseNow()) await refuseWithoutSeat(tx, () => countOpen(tx))
    await forgetMail(tx, causeOf(before.linkId))
    const { id: userId, name: invitedBy } = viewerOf(scope)
    const fields = { linkId: randomUUID(), expiresAt: inSevenDays(), invitedBy, userId }
    return send(tx, tools, await updateInvitation(tx, invitationId, fields), { created: false })
  })
}

/** Deletes an invitation, and its letter if not sent yet. Refuses with ERR_NOT_FOUND. */
export const withdraw = (scope: Scope, invitationId: number) =>
  scope.transaction(async tx => {
    const { linkId } = await lockInvitation(tx, invitationId)
    await forgetMail(tx, causeOf(linkId))
    await removeInvitation(tx, invitationId)
  })

/** The invitation of a link. Refuses with ERR_LINK_OVER. */
export async function followLink(
  platform: PlatformScope,
  { secrets }: Pick<Platform, 'secrets'>,
  token: string,
) {
  const linkId = readLink(secrets.links, 'invitation', token)
  const found = linkId && (await platform.transaction(sql => openInvitation(sql, linkId)))
  return found || refuse('ERR_LINK_OVER')
}

/**
 * Adds the invited user and opens a session. Refuses with ERR_LINK_OVER, ERR_NO_LIMIT_USER,
 * ERR_NO_COMPANY_PLAN (the invitation stays), ERR_EMAIL_EXISTS.
 */
export async function acceptInvitation(
  platform: PlatformScope,
  keys: Pick<Platform, 'secrets' | 'access'>,
  { token, name, password }: { token: string; name: string; password: string },
  client: Client,
): Promise<OpenedSession> {
  const { invitation } = await followLink(platform, keys, token)
  const { id, companyId, email, profile, userAuthorizationId, whatsappId, queueIds } = invitation
  const passwordHash = await hashNewPassword(platform, password, `invitation ${id}`)
  const user = await platform.inCompany(companyId).transaction(async tx => {
    if (!(await removeInvitation(tx, id))) refuse('ERR_LINK_OVER')
    const given = { name, email, passwordHash, profile, userAuthorizationId, whatsappId, queueIds }
    return addInvitedUser(tx, given)
  })
  return openSession(platform, keys, { userId: user.id, companyId }, client)
}

export async function bequeathInvitations(tx: Tx, userId: number, heirId: number | null): Promise<void> {
  if (heirId !== null) return void (await moveInvitations(tx, userId, heirId))
  for (const { id, linkId } of await invitationsBy(tx, userId)) {
    await forgetMail(tx, causeOf(linkId))
    await removeInvitation(tx, id)
  }
}

/** Returns whether there was one: of concurrent acceptances one succeeds. */
async function removeInvitation(tx: Tx, invitationId: number): Promise<boolean> {
  const isDeleted = await deleteInvitation(tx, invitationId)
  if (isDeleted) tx.emit(invitationChanged, { action: 'delete', invitationId })
  return isDeleted
}

async function refuseMany({ companyId }: Scope, { mail, scopes }: Tools, email: string) {
  if (!mail.isSetUp) return
  const by = tried('invitations of', companyId)
  await scopes.platform().transaction(sql => refuseManyLetters(sql, by, BY_COMPANY, email))
}

async function send(
  tx: Tx,
  { mail, secrets }: Tools,
  { id, email, language, invitedBy, linkId }: InvitationRow,
  { created }: { created: boolean },
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

const inSevenDays = () => new Date(databaseNow() + INVITATION_DAYS * 86_400_000).toISOString()

const orInvited = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'invitations_email')) return refuse('ERR_EMAIL_EXISTS', { field: 'email' })
    throw error
  })
