import type { EmailInput, PasswordInput, ResetInput } from '@balcao/contract/accounts.ts'
import { FIRST_LINK_HOURS, LINK_HOURS } from '@balcao/contract/accounts.ts'
import type { z } from 'zod'
import { readLink } from '../../platform/access/links.ts'
import { hashNewPassword, passwordFits } from '../../platform/access/passwords.ts'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import type { Visit } from '../../platform/http/routes.ts'
import type { Letter } from '../../platform/outbound/letter.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { type PlatformScope, type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { accountByEmail, deleteSessionOf, deleteSessionsOf } from '../auth/auth.queries.ts'
import { type Allowance, countAttempt, refuseTooMany, settleTry, tried } from '../auth/auth.tries.queries.ts'
import { writeMail } from '../mails/mails.actions.ts'
import { countRecentMails, forgetMails } from '../mails/mails.queries.ts'
import { setEmail, setPassword } from '../users/users.actions.ts'
import { lockUser } from '../users/users.queries.ts'
import { sessionsEnded } from './accounts.events.ts'
import {
  type AccountLink,
  credentialsOf,
  deleteLink,
  deleteLinksOf,
  insertLink,
  livingLink,
  type NewLink,
} from './accounts.queries.ts'
import { newAddressLetter, previousAddressLetter, resetLetter } from './accounts.text.ts'

/** A bound on letters that strangers can cause. */
const RESETS_AN_HOUR = 5
const BY_USER = { free: 5, waitMinutes: 60 }

/**
 * Sends a user a link for a new password; `cause` is the idempotency key of the request. Nothing for a deleted user, or
 * after RESETS_AN_HOUR.
 */
export const offerReset = (scope: Scope, userId: number, language: Letter['language'], cause: string) =>
  scope.transaction(async tx => {
    const account = await credentialsOf(tx, userId)
    if (!account) return
    // serialises concurrent counts
    await lockUser(tx, userId)
    if ((await countRecentMails(tx, `reset:${userId}:%`)) >= RESETS_AN_HOUR) return
    const id = await addLink(tx, { userId, purpose: 'reset', language })
    await writeMail(tx, {
      cause: `reset:${userId}:${cause}`,
      to: account.email,
      letter: resetLetter(language),
      link: { purpose: 'reset', id },
    })
  })

/** Sets a new password by a link and ends every session. Returns its user. Refuses with ERR_LINK_OVER. */
export async function resetPassword(
  platform: PlatformScope,
  keys: Keys,
  { token, password, endSecrets = true }: z.output<typeof ResetInput>,
): Promise<{ userId: number; email: string }> {
  const link = await findLink(platform, keys, 'reset', token)
  const passwordHash = await hashNewPassword(platform, password, `the link of user ${link.userId}`)
  return platform.inCompany(link.companyId).transaction(async tx => {
    await useLink(tx, link)
    const { id: userId, email } = await setPassword(tx, link.userId, passwordHash, {
      keptSession: null,
      endsSecrets: endSecrets,
    })
    return { userId, email }
  })
}

/** Changes the caller's password; ends other sessions and links. Refuses with ERR_WRONG_PASSWORD. */
export async function changePassword(
  scope: Scope,
  { oldPassword, password, endSecrets = true }: z.output<typeof PasswordInput>,
  { sessionId, platform: { scopes } }: Pick<Visit, 'sessionId' | 'platform'>,
) {
  const me = viewerOf(scope)
  const known = await refuseWrongPassword(scope, oldPassword, scopes)
  const passwordHash = await hashNewPassword(scope, password, `user ${me.id}`)
  await scope.transaction(async tx => {
    await refuseChanged(tx, me.id, known)
    await setPassword(tx, me.id, passwordHash, { keptSession: sessionId, endsSecrets: endSecrets })
  })
}

/**
 * Sends a link to the caller's new address, which replaces earlier links; without mail the address is changed at once.
 * Returns whether it was. Refuses with ERR_WRONG_PASSWORD, ERR_EMAIL_EXISTS, ERR_TOO_MANY_REQUESTS.
 */
export async function changeEmail(
  scope: Scope,
  { email, oldPassword, language = 'ptBR' }: z.output<typeof EmailInput>,
  { sessionId, platform: { mail, scopes } }: Pick<Visit, 'sessionId' | 'platform'>,
): Promise<boolean> {
  const { id: userId } = viewerOf(scope)
  const known = await refuseWrongPassword(scope, oldPassword, scopes)
  if (await scopes.platform().transaction(sql => accountByEmail(sql, email)))
    refuse('ERR_EMAIL_EXISTS', { field: 'email' })
  if (mail.isSetUp)
    await scopes
      .platform()
      .transaction(sql => refuseManyLetters(sql, tried('letters of', userId), BY_USER, email))
  return scope.transaction(async tx => {
    await refuseChanged(tx, userId, known)
    if (!mail.isSetUp) {
      await setEmail(tx, userId, email, sessionId)
      return true
    }
    await dropLinks(tx, userId, 'email')
    const id = await addLink(tx, { userId, purpose: 'email', email, language, sessionId })
    await writeMail(tx, {
      cause: `email:${userId}:${id}`,
      to: email,
      letter: newAddressLetter(language),
      link: { purpose: 'email', id },
    })
    return false
  })
}

/** Sets the address that the link was sent to, and notifies the previous one. Refuses with ERR_LINK_OVER, ERR_EMAIL_EXISTS. */
export async function confirmEmail(platform: PlatformScope, keys: Keys, token: string): Promise<string> {
  const link = await findLink(platform, keys, 'email', token)
  return platform.inCompany(link.companyId).transaction(async tx => {
    await useLink(tx, link)
    const { previous } = await setEmail(tx, link.userId, link.email, link.sessionId)
    await writeMail(tx, {
      cause: `email-changed:${link.id}`,
      to: previous,
      letter: previousAddressLetter(link.language, link.email),
    })
    return link.email
  })
}

type Keys = Pick<Platform, 'secrets'>

async function findLink(
  platform: PlatformScope,
  { secrets }: Keys,
  purpose: AccountLink['purpose'],
  token: string,
): Promise<AccountLink> {
  const id = readLink(secrets.links, purpose, token)
  const link = id && (await platform.transaction(sql => livingLink(sql, id, purpose)))
  return link || refuse('ERR_LINK_OVER')
}

/** Of concurrent uses one succeeds. */
async function useLink(tx: Tx, { id }: AccountLink) {
  if (!(await deleteLink(tx, id))) refuse('ERR_LINK_OVER')
}

/** Deletes the links of a user, and letters with them that are not sent yet. */
export async function dropLinks(tx: Tx, userId: number, purpose?: AccountLink['purpose']) {
  await deleteLinksOf(tx, userId, purpose)
  for (const one of purpose ? [purpose] : (['reset', 'email'] as const))
    await forgetMails(tx, `${one}:${userId}:%`)
}

const addLink = (tx: Tx, link: NewLink) => insertLink(tx.sql, tx.companyId, link, LINK_HOURS)

/** Adds the link by which the first user of a new company sets a password. Returns its id. */
export const addFirstLink = (sql: Sql, companyId: number, link: Pick<NewLink, 'userId' | 'language'>) =>
  insertLink(sql, companyId, { ...link, purpose: 'reset' }, FIRST_LINK_HOURS)

/** Returns the hash that the password matched. Failures are counted by user, across sessions. */
async function refuseWrongPassword(
  scope: Scope,
  password: string,
  scopes: Platform['scopes'],
): Promise<string | undefined> {
  const { id } = viewerOf(scope)
  const what = tried('user', id)
  const account = await scope.read(tx => credentialsOf(tx, id))
  const platform = scopes.platform()
  await platform.transaction(sql => refuseTooMany(sql, what))
  const fits = await passwordFits(scope, password, account?.passwordHash, `user ${id}`)
  const isRight = await platform.transaction(sql => settleTry(sql, what, { isRight: fits }))
  return isRight ? account?.passwordHash : refuse('ERR_WRONG_PASSWORD', { field: 'oldPassword' })
}

/** Refuses when the password was changed during the check. */
async function refuseChanged(tx: Tx, userId: number, known: string | undefined) {
  await lockUser(tx, userId)
  const account = await credentialsOf(tx, userId)
  if (!known || account?.passwordHash !== known) refuse('ERR_WRONG_PASSWORD', { field: 'oldPassword' })
}

const TO_ADDRESS: Allowance = { free: 3, waitMinutes: 60 }

/**
 * Counts a letter to an address that a user named, by sender and by recipient: neither one user nor several can flood a
 * mailbox. Refuses with ERR_TOO_MANY_REQUESTS.
 */
export async function refuseManyLetters(sql: Sql, by: string, allowance: Allowance, to: string) {
  await countAttempt(sql, by, allowance)
  await countAttempt(sql, tried('letters to', to.toLowerCase()), TO_ADDRESS)
}

/** Ends one of the caller's sessions. Refuses with ERR_NOT_FOUND. */
export const endOwnSession = (scope: Scope, sessionId: string) =>
  endSessions(
    scope,
    async (tx, userId) => (await deleteSessionOf(tx, userId, sessionId)) || refuse('ERR_NOT_FOUND'),
  )

export const endOtherSessions = (scope: Scope, kept: string) =>
  endSessions(scope, (tx, userId) => deleteSessionsOf(tx, userId, kept))

const endSessions = (scope: Scope, end: (tx: Tx, userId: number) => Promise<boolean>) =>
  scope.transaction(async tx => {
    const { id: userId } = viewerOf(scope)
    if (await end(tx, userId)) tx.emit(sessionsEnded, { userId })
  })
