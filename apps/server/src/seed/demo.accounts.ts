import { companies } from '../features/companies/companies.table.ts'
import { users } from '../features/users/users.table.ts'
import { passwordFits } from '../platform/access/passwords.ts'
import { type Config, ConfigError } from '../platform/config.ts'
import { Memory } from '../platform/memory.ts'
import type { Database, Sql } from '../platform/postgres/db.ts'
import { and, eq, inArray, isNull, or, sql as tag } from '../platform/postgres/sql.ts'

/** Every demo account is made with it: it is published. */
export const DEMO_PASSWORD = 'balcao-demo'

/** The addresses that demo data is made with; an account may have got another since. */
export const demoEmails = [
  ...['master@balcao.test', 'admin@balcao.test', 'atendente@balcao.test', 'caio@balcao.test'],
  ...['bianca@balcao.test', 'admin@outra.test', 'admin@clinica.test', 'recepcao@clinica.test'],
]

export interface DemoAccount {
  id: number
  companyId: number
  email: string
  /** Whether it opens with the published password. */
  isOpen: boolean
}

/** Hashes that are compared with the published password at most: demo data has one. */
const HASHES = 20

/**
 * The accounts of demo data in companies that are not being deleted: by their addresses, and by a password hash that
 * several accounts share, since only demo data makes accounts with one hash (each other password has its own salt).
 */
export async function demoAccounts(sql: Sql): Promise<DemoAccount[]> {
  const shared = sql
    .select({ hash: users.passwordHash })
    .from(users)
    .groupBy(users.passwordHash)
    .having(tag`count(*) > 1`)
  const found = await sql
    .select({ id: users.id, companyId: users.companyId, email: users.email, hash: users.passwordHash })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .where(
      and(
        isNull(companies.leavingAt),
        or(inArray(tag`lower(${users.email})`, demoEmails), inArray(users.passwordHash, shared)),
      ),
    )
    .orderBy(users.companyId, users.id)
  const open = await publishedAmong(new Set(found.map(({ hash }) => hash)))
  return found
    .map(({ hash, ...account }) => ({ ...account, isOpen: open.has(hash) }))
    .filter(({ email, isOpen }) => isOpen || demoEmails.includes(email.toLowerCase()))
}

async function publishedAmong(hashes: Set<string>): Promise<Set<string>> {
  const product = { memory: new Memory() }
  const open = new Set<string>()
  for (const hash of [...hashes].filter(isOfPassword).slice(0, HASHES))
    if (await passwordFits(product, DEMO_PASSWORD, hash, 'the start')) open.add(hash)
  return open
}

/** Nothing else is one of an account that can log in. */
const isOfPassword = (hash: string) => hash.startsWith('$argon2')

/** A production start on accounts whose password everybody knows is refused: throws ConfigError in one line. */
export async function refuseDemoAccounts(
  { production, demo, databaseUrl, dataDir }: Config,
  database: Database,
): Promise<void> {
  if (!production || demo) return
  const open = (await database.transaction('', demoAccounts)).filter(({ isOpen }) => isOpen)
  if (open.length === 0) return
  const [place, elsewhere] = databaseUrl
    ? ['The database of DATABASE_URL', 'DATABASE_URL']
    : [`DATA_DIR ${dataDir}`, 'DATA_DIR']
  throw new ConfigError(
    `${place} holds ${open.length} accounts of the demo, such as ${open[0]!.email}, with the password that everybody knows: ` +
      `npm run demo -- remove takes the demo's companies and accounts away, or give another ${elsewhere}`,
  )
}
