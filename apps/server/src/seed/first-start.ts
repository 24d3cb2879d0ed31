import { companies, plans } from '../features/companies/companies.table.ts'
import { users } from '../features/users/users.table.ts'
import type { Platform } from '../platform/app.ts'
import { hashPassword } from '../platform/passwords.ts'
import { count } from '../platform/sql.ts'
import { demoData, demoPeople } from './demo.ts'

/** What a database needs before anyone can log in; runs at every start and changes nothing the second time. */
export const firstStart = (platform: Platform) => start(platform, demoData)

/** The same without anything having happened yet: for tests that tell their own story. */
export const firstDay = (platform: Platform) => start(platform, demoPeople)

async function start(platform: Platform, demo: (platform: Platform) => Promise<void>): Promise<void> {
  const { config, scopes } = platform
  await scopes
    .platform()
    .transaction(sql =>
      sql
        .insert(plans)
        .values({ name: 'Padrão', numberAttendants: 10, numberConnections: 3, isStandard: true })
        .onConflictDoNothing(),
    )
  if (config.demo) await demo(platform)
  if (config.masterEmail && config.masterPassword)
    await firstMaster(platform, config.masterEmail, config.masterPassword)
}

async function firstMaster({ scopes, config }: Platform, email: string, password: string) {
  const door = scopes.platform()
  const [people] = await door.transaction(sql => sql.select({ count: count() }).from(users))
  if (people && people.count > 0) return
  const passwordHash = await hashPassword(password)
  await door.transaction(async sql => {
    const [company] = await sql
      .insert(companies)
      .values({ name: config.platformName, companyName: config.platformName, email })
      .returning({ id: companies.id })
    await sql
      .insert(users)
      .values({ companyId: company!.id, name: 'Operador', email, passwordHash, profile: 'admin', master: 1 })
  })
}
