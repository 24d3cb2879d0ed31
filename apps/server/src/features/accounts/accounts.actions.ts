import type { EmailInput, PasswordInput } from '@balcao/contract/accounts.ts'
import { FIRST_LINK_HOURS, LINK_HOURS } from '@balcao/contract/accounts.ts'
import type { z } from 'zod'
import type { Platform } from '../../platform/app.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import { readLink } from '../../platform/links.ts'
import type { Letter } from '../../platform/mail.letter.ts'
import { hashPassword, passwordFits } from '../../platform/passwords.ts'
import { type PlatformScope, type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { accountByEmail } from '../auth/auth.queries.ts'
import { writeMail } from '../mails/mails.actions.ts'
import { countRecentMails } from '../mails/mails.queries.ts'
import { setEmail, setPassword } from '../users/users.account.ts'
import { lockUser } from '../users/users.queries.ts'
import { type AccountLink, credentialsOf, livingLink } from './accounts.queries.ts'
import { accountLinks } from './accounts.table.ts'
import { formerAddressLetter, newAddressLetter, resetLetter } from './accounts.text.ts'

/** However often they are asked for: a mailbox is not filled by strangers. */
const RESETS_AN_HOUR = 5

/**
 * Writes a link for a new password to its user, `cause` naming who asked for it. Nothing where he was deleted
 * meanwhile, or got enough of them within the hour.
 */
export const offerReset = (scope: Scope, userId: number, language: Letter['language'], cause: string) =>
  scope.transaction(async tx => {
    const account = await credentialsOf(tx, userId)
    if (!account) return
    // two at once would both find room for one more
    await lockUser(tx, userId)
    if ((await countRecentMails(tx, `reset:${userId}:%`)) >= RESETS_AN_HOUR) return
    const id = await addLink(tx, { userId, purpose: 'reset', language })
    await writeMail(tx, {
      cause: `reset:${userId}:${cause}`,
      to: account.email,
      letter: resetLetter(language, account.name),
      link: { purpose: 'reset', id },
    })
  })

/** Sets a new password by a link and ends every session. Answers whose it is. Refuses with ERR_LINK_OVER. */
export async function resetPassword(
  platform: PlatformScope,
  keys: Keys,
  { token, password }: { token: string; password: string },
  ip: string,
): Promise<string> {
  const link = await findLink(platform, keys, 'reset', token)
  const passwordHash = await hashPassword(password, ip)
  return platform.inCompany(link.companyId).transaction(async tx => {
    await useLink(tx, link)
    return (await setPassword(tx, link.userId, passwordHash, null)).email
  })
}

/** Changes the own password; the other sessions end, and links that were sent. Refuses with ERR_WRONG_PASSWORD. */
export async function changePassword(
  scope: Scope,
  { oldPassword, password }: z.output<typeof PasswordInput>,
  sessionId: string | null,
) {
  const me = viewerOf(scope)
  await refuseWrongPassword(scope, oldPassword)
  const passwordHash = await hashPassword(password, `user ${me.id}`)
  await scope.transaction(async tx => {
    await dropLinks(tx, me.id)
    await setPassword(tx, me.id, passwordHash, sessionId)
  })
}

/**
 * Sends a link to the own new address; where no mail is set up it is taken at once. Answers whether it was. Refuses
 * with ERR_WRONG_PASSWORD, ERR_EMAIL_EXISTS.
 */
export async function changeEmail(
  scope: Scope,
  { email, oldPassword, language = 'ptBR' }: z.output<typeof EmailInput>,
  { mail, scopes }: Pick<Platform, 'mail' | 'scopes'>,
): Promise<boolean> {
  const { id: userId, name } = viewerOf(scope)
  await refuseWrongPassword(scope, oldPassword)
  if (await scopes.platform().transaction(sql => accountByEmail(sql, email)))
    refuse('ERR_EMAIL_EXISTS', { field: 'email' })
  return scope.transaction(async tx => {
    if (!mail.isSetUp) {
      await setEmail(tx, userId, email)
      return true
    }
    const id = await addLink(tx, { userId, purpose: 'email', email, language })
    await writeMail(tx, {
      cause: `email:${id}`,
      to: email,
      letter: newAddressLetter(language, name),
      link: { purpose: 'email', id },
    })
    return false
  })
}

/** Takes the address that the link was sent to, and tells the former one. Refuses with ERR_LINK_OVER, ERR_EMAIL_EXISTS. */
export async function confirmEmail(platform: PlatformScope, keys: Keys, token: string): Promise<string> {
  const link = await findLink(platform, keys, 'email', token)
  return platform.inCompany(link.companyId).transaction(async tx => {
    await useLink(tx, link)
    const { former, name } = await setEmail(tx, link.userId, link.email)
    await writeMail(tx, {
      cause: `email-changed:${link.id}`,
      to: former,
      letter: formerAddressLetter(link.language, name, link.email),
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

/** Of two who follow it at once one does; whatever else was sent to this user ends with it. */
async function useLink(tx: Tx, { id, userId }: AccountLink) {
  const used = await tx.sql
    .delete(accountLinks)
    .where(and(eq(accountLinks.companyId, tx.companyId), eq(accountLinks.id, id)))
    .returning({ id: accountLinks.id })
  if (used.length === 0) refuse('ERR_LINK_OVER')
  await dropLinks(tx, userId)
}

const dropLinks = (tx: Tx, userId: number) =>
  tx.sql
    .delete(accountLinks)
    .where(and(eq(accountLinks.companyId, tx.companyId), eq(accountLinks.userId, userId)))

type NewLink = Pick<AccountLink, 'userId' | 'purpose' | 'language'> & { email?: string }

const addLink = (tx: Tx, link: NewLink) => insertLink(tx.sql, tx.companyId, link, LINK_HOURS)

/** The link by which the first user of a company that is being founded sets his first password. Answers its id. */
export const addFirstLink = (sql: Sql, companyId: number, link: Pick<NewLink, 'userId' | 'language'>) =>
  insertLink(sql, companyId, { ...link, purpose: 'reset' }, FIRST_LINK_HOURS)

async function insertLink(sql: Sql, companyId: number, link: NewLink, hours: number): Promise<string> {
  const expiresAt = new Date(Date.now() + hours * 3_600_000).toISOString()
  const [row] = await sql
    .insert(accountLinks)
    .values({ ...link, companyId, expiresAt })
    .returning({ id: accountLinks.id })
  return row!.id
}

async function refuseWrongPassword(scope: Scope, password: string) {
  const { id } = viewerOf(scope)
  const account = await scope.read(tx => credentialsOf(tx, id))
  if (!(await passwordFits(password, account?.passwordHash, `user ${id}`)))
    refuse('ERR_WRONG_PASSWORD', { field: 'oldPassword' })
}
