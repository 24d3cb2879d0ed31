import { createCompany } from '../features/companies/companies.actions.ts'
import { followPlan } from '../features/companies/companies.plan.queries.ts'
import { plans } from '../features/companies/companies.table.ts'
import { holdSubscription } from '../features/invoices/invoices.hold.actions.ts'
import { users } from '../features/users/users.table.ts'
import { hashPassword } from '../platform/access/passwords.ts'
import type { Platform } from '../platform/app.ts'
import { databaseNow } from '../platform/clock.ts'
import { type Sql, UNHURRIED } from '../platform/postgres/db.ts'
import { eq, sql as tag } from '../platform/postgres/sql.ts'
import { demoContract } from './contracts.ts'
import { DEMO_PASSWORD } from './demo.accounts.ts'
import { lumeAssignment } from './lume/assignment.ts'
import { lumeBot } from './lume/bot.ts'
import { lumeCompany } from './lume/company.ts'
import { past } from './lume/past.ts'
import { lumePauses } from './lume/pauses.ts'
import { lumeSchedules } from './lume/schedules.ts'
import { lumeTargets } from './lume/targets.ts'
import { lumeTeamTalk } from './lume/team-talk.ts'
import { type Stage, writePast } from './lume/write.ts'
import { bakery, clinic, neighbourCompany } from './neighbours.ts'
import { demoOffers } from './offers.ts'

export const demoLogins = [
  `admin@balcao.test      ${DEMO_PASSWORD}   (Lume Móveis, admin)`,
  `atendente@balcao.test  ${DEMO_PASSWORD}   (Lume Móveis, attendant)`,
  `admin@outra.test       ${DEMO_PASSWORD}   (Padaria Outra, admin)`,
  `admin@clinica.test     ${DEMO_PASSWORD}   (Clínica Vida, admin; its invoice is overdue)`,
  `master@balcao.test     ${DEMO_PASSWORD}   (the platform's operator)`,
]

/** Any number: of processes that start together one makes the data. */
const LOCK = 7_262_452

/** People, places and their last year, to try the product with; made once, on an empty database. */
export const demoData = (platform: Platform) => makeDemo(platform, true)

/** The same people on their first day, without messages. */
export const demoPeople = (platform: Platform) => makeDemo(platform, false)

async function makeDemo({ scopes, config }: Platform, withPast: boolean): Promise<void> {
  const platformScope = scopes.platform()
  if (await platformScope.transaction(inhabited)) return
  const passwordHash = await hashPassword(platformScope, DEMO_PASSWORD, 'the first start')
  const billed = await platformScope.transaction(async sql => {
    // a slow machine takes seconds to write the next statement of a year
    await sql.execute(tag.raw(UNHURRIED))
    await sql.execute(tag`select pg_advisory_xact_lock(${LOCK})`)
    if (await inhabited(sql)) return []
    const company = companyMaker(sql)
    const product = await company('Balcão', 'master@balcao.test', 'O balcão da sua empresa')
    await sql.insert(users).values({
      companyId: product,
      name: 'Operador',
      email: 'master@balcao.test',
      passwordHash,
      profile: 'admin',
      master: 1,
    })
    const lume = await company('Lume Móveis', 'admin@balcao.test', 'Casa clara, vida boa')
    const stage = await lumeCompany(sql, lume, passwordHash)
    const bakeryId = await company('Padaria Outra', 'admin@outra.test', 'Pão quente o dia todo')
    await neighbourCompany(sql, bakeryId, bakery, passwordHash)
    if (!withPast) return []
    await lumePast(sql, stage, config.tzDefault)
    await demoOffers(sql)
    const clinicId = await company('Clínica Vida', 'admin@clinica.test', 'Perto de você')
    await neighbourCompany(sql, clinicId, clinic, passwordHash)
    await demoContract(sql, lume, 'lume', config.tzDefault)
    await demoContract(sql, bakeryId, 'bakery', config.tzDefault)
    await demoContract(sql, clinicId, 'clinic', config.tzDefault)
    return [lume, bakeryId, clinicId]
  })
  // their paid invoices get payments
  for (const id of billed) await platformScope.inCompany(id).transaction(holdSubscription)
}

/** What happened at the shop, and what it has set up since its first day. */
async function lumePast(sql: Sql, stage: Stage, timeZone: string) {
  const team = stage.team.map(({ name }) => name)
  await writePast(sql, stage, past(databaseNow(), team))
  await lumeBot(sql, stage)
  await lumeSchedules(sql, stage, timeZone)
  await lumePauses(sql, stage)
  await lumeTargets(sql, stage.companyId)
  await lumeAssignment(sql, stage)
  await lumeTeamTalk(sql, stage)
}

async function inhabited(sql: Sql) {
  const [somebody] = await sql.select({ id: users.id }).from(users).limit(1)
  return somebody !== undefined
}

const companyMaker = (sql: Sql) => async (name: string, email: string, slogan: string) => {
  const companyId = await createCompany(sql, { name, email, slogan })
  const [plan] = await sql
    .update(plans)
    .set({ numberAttendants: 25, numberConnections: 30, enableCampaigns: true })
    .where(eq(plans.companyId, companyId))
    .returning()
  await followPlan(sql, plan!)
  return companyId
}
