import { createCompany } from '../features/companies/companies.actions.ts'
import { followPlan } from '../features/companies/companies.plan.ts'
import { plans } from '../features/companies/companies.table.ts'
import { whatsapps } from '../features/connections/connections.table.ts'
import { queues } from '../features/queues/queues.table.ts'
import { userQueues, users } from '../features/users/users.table.ts'
import type { Platform } from '../platform/app.ts'
import type { Sql } from '../platform/db.ts'
import { hashPassword } from '../platform/passwords.ts'
import { eq, sql as tag } from '../platform/sql.ts'
import { lumeBot } from './lume/bot.ts'
import { lumeCompany } from './lume/company.ts'
import { past } from './lume/past.ts'
import { lumeSchedules } from './lume/schedules.ts'
import { writePast } from './lume/write.ts'
import { demoOffers } from './offers.ts'

const DEMO_PASSWORD = 'balcao-demo'

export const demoLogins = [
  `admin@balcao.test      ${DEMO_PASSWORD}   (Lume Móveis, admin)`,
  `atendente@balcao.test  ${DEMO_PASSWORD}   (Lume Móveis, attendant)`,
  `admin@outra.test       ${DEMO_PASSWORD}   (another company, admin)`,
  `master@balcao.test     ${DEMO_PASSWORD}   (the platform's operator)`,
]

/** Any number: of processes that start together one makes the data. */
const LOCK = 7_262_452

/** People, places and their last sixty days, to try the product with; made once, on an empty database. */
export const demoData = (platform: Platform) => makeDemo(platform, true)

/** The same people on their first day: nobody has written yet. */
export const demoPeople = (platform: Platform) => makeDemo(platform, false)

async function makeDemo({ scopes, config }: Platform, withPast: boolean): Promise<void> {
  const platformScope = scopes.platform()
  if (await platformScope.transaction(inhabited)) return
  const passwordHash = await hashPassword(DEMO_PASSWORD, 'the first start')
  await platformScope.transaction(async sql => {
    await sql.execute(tag`select pg_advisory_xact_lock(${LOCK})`)
    if (await inhabited(sql)) return
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
    if (withPast)
      await writePast(
        sql,
        stage,
        past(
          Date.now(),
          stage.team.map(({ name }) => name),
        ),
      )
    const bakery = await company('Padaria Outra', 'admin@outra.test', 'Pão quente o dia todo')
    await otherCompany(sql, bakery, passwordHash)
    if (!withPast) return
    await lumeBot(sql, stage)
    await lumeSchedules(sql, stage, config.tzDefault)
    await demoOffers(sql)
  })
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

async function otherCompany(sql: Sql, companyId: number, passwordHash: string) {
  const [queue] = await sql
    .insert(queues)
    .values({ companyId, name: 'Encomendas', color: '#8e24aa' })
    .returning({ id: queues.id })
  const [connection] = await sql
    .insert(whatsapps)
    .values({
      companyId,
      name: 'Principal',
      lib: 'simulator',
      isDefault: true,
      status: 'CONNECTED',
      number: '552130002000',
      wanted: 'on',
      wantedOrder: 1,
    })
    .returning({ id: whatsapps.id })
  const [admin] = await sql
    .insert(users)
    .values({
      companyId,
      name: 'Otávio Lemos',
      email: 'admin@outra.test',
      passwordHash,
      profile: 'admin',
      payPanelAccess: true,
      whatsappId: connection!.id,
    })
    .returning({ id: users.id })
  await sql.insert(userQueues).values({ companyId, userId: admin!.id, queueId: queue!.id })
}
