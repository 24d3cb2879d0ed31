import { accountLinks } from '../features/accounts/accounts.table.ts'
import { accountByEmail } from '../features/auth/auth.queries.ts'
import { sessions } from '../features/auth/auth.table.ts'
import { createCompany } from '../features/companies/companies.actions.ts'
import { companies } from '../features/companies/companies.table.ts'
import { mails } from '../features/mails/mails.table.ts'
import { users } from '../features/users/users.table.ts'
import { hashPassword } from '../platform/access/passwords.ts'
import { databaseTime } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Sql } from '../platform/postgres/db.ts'
import { and, eq, inArray, isNotNull, like, or, sql as tag } from '../platform/postgres/sql.ts'
import type { PlatformScope } from '../platform/scope.ts'

/** Any number: of processes that start together one makes the master. */
const LOCK = 7_262_454

interface Account {
  email: string
  password: string
  /** The platform's own company is called so when this account is its first. */
  platformName: string
}

/**
 * Gives the platform a master by this address and password, whoever had the address: a new user in the platform's
 * company, or the existing user, with its old sessions ended, its group left and its company on.
 */
export async function makeMaster(platform: PlatformScope, account: Account): Promise<'made' | 'reset'> {
  const passwordHash = await hashPassword(platform, account.password, 'the first start')
  return platform.transaction(async sql => {
    await sql.execute(tag`select pg_advisory_xact_lock(${LOCK})`)
    return write(sql, account, passwordHash)
  })
}

/** The first master, when there is none and the environment names one. Answers what was done, in a line for the operator. */
export async function firstMaster(
  platform: PlatformScope,
  { masterEmail, masterPassword, platformName }: Config,
): Promise<string> {
  const passwordHash = masterPassword && (await hashPassword(platform, masterPassword, 'the first start'))
  return platform.transaction(async sql => {
    await sql.execute(tag`select pg_advisory_xact_lock(${LOCK})`)
    const master = await anyMaster(sql, masterEmail)
    if (!master && masterEmail && passwordHash) {
      await write(sql, { email: masterEmail, platformName }, passwordHash)
      return `The master user ${masterEmail} was made.`
    }
    if (!master) return 'Nobody is master of this platform: npm run master -- EMAIL makes one.'
    if (!masterEmail || same(masterEmail, master.email)) return `The master user is ${master.email}.`
    return `The master user is ${master.email}: MASTER_EMAIL changes nothing, npm run master -- ${masterEmail} does.`
  })
}

/** One master who can log in, that of the given address before others; null when there is none. */
async function anyMaster(sql: Sql, email: string | null) {
  const [master] = await sql
    .select({ email: users.email, companyId: users.companyId })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .where(and(eq(users.master, 1), eq(companies.status, 1)))
    .orderBy(tag`lower(${users.email}) = ${email?.toLowerCase() ?? ''} desc`, users.createdAt)
    .limit(1)
  return master ?? null
}

async function write(
  sql: Sql,
  { email, platformName }: Omit<Account, 'password'>,
  passwordHash: string,
): Promise<'made' | 'reset'> {
  await freeAddress(sql, email)
  const known = await accountByEmail(sql, email)
  if (known) {
    const { id, companyId } = known
    await sql
      .update(users)
      .set({
        ...{ passwordHash, credentialsAt: now(), updatedAt: now() },
        ...{ master: 1, profile: 'admin', userAuthorizationId: null },
      })
      .where(and(eq(users.companyId, companyId), eq(users.id, id)))
    await endCredentials(sql, companyId, id)
    await sql.update(companies).set({ status: 1 }).where(eq(companies.id, companyId))
    return 'reset'
  }
  const companyId =
    (await anyMaster(sql, null))?.companyId ?? (await createCompany(sql, { name: platformName, email }))
  await sql
    .insert(users)
    .values({ companyId, name: 'Operador', email, passwordHash, profile: 'admin', master: 1 })
  return 'made'
}

/** An account of a company that is being deleted goes with it: another one may have its address at once. */
const freeAddress = (sql: Sql, email: string) =>
  sql
    .update(users)
    .set({ email: tag`'leaving-' || ${users.id} || '@leaving.invalid'` })
    .where(
      and(
        eq(tag`lower(${users.email})`, email.toLowerCase()),
        inArray(
          users.companyId,
          sql.select({ id: companies.id }).from(companies).where(isNotNull(companies.leavingAt)),
        ),
      ),
    )

/** What `credentialsChanged` ends, where no company's transaction is open. */
export async function endCredentials(sql: Sql, companyId: number, userId: number) {
  await sql.delete(sessions).where(and(eq(sessions.companyId, companyId), eq(sessions.userId, userId)))
  await sql
    .delete(accountLinks)
    .where(and(eq(accountLinks.companyId, companyId), eq(accountLinks.userId, userId)))
  const theirs = or(...['reset', 'email'].map(one => like(mails.cause, `${one}:${userId}:%`)))
  await sql
    .update(mails)
    .set({ state: 'failed', reason: 'no longer wanted' })
    .where(and(eq(mails.companyId, companyId), eq(mails.state, 'waiting'), theirs))
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
const now = () => databaseTime()
