import { companies, plans } from '../features/companies/companies.table.ts'
import { whatsapps } from '../features/connections/connections.table.ts'
import { userAuthorizations } from '../features/permissions/permissions.table.ts'
import { queues } from '../features/queues/queues.table.ts'
import { tags } from '../features/tickets/tickets.table.ts'
import { userQueues, users } from '../features/users/users.table.ts'
import type { Platform } from '../platform/app.ts'
import type { Sql } from '../platform/db.ts'
import { hashPassword } from '../platform/passwords.ts'

export const DEMO_PASSWORD = 'balcao-demo'

export const demoLogins = [
  `admin@balcao.test      ${DEMO_PASSWORD}   (Lume Móveis, admin)`,
  `atendente@balcao.test  ${DEMO_PASSWORD}   (Lume Móveis, attendant)`,
  `admin@outra.test       ${DEMO_PASSWORD}   (another company, admin)`,
  `master@balcao.test     ${DEMO_PASSWORD}   (the platform's operator)`,
]

/** People and places to try the product with; made once, on an empty database. */
export async function demoData(platform: Platform): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  await platform.scopes.platform().transaction(async sql => {
    const [known] = await sql.select({ id: users.id }).from(users).limit(1)
    if (known) return
    const [plan] = await sql.select().from(plans).limit(1)
    const company = companyMaker(sql, plan!.id)
    const house = await company('Balcão', 'master@balcao.test', 'O balcão da sua empresa')
    await sql.insert(users).values({
      companyId: house,
      name: 'Operador',
      email: 'master@balcao.test',
      passwordHash,
      profile: 'admin',
      master: 1,
    })
    await lume(sql, await company('Lume Móveis', 'admin@balcao.test', 'Casa clara, vida boa'), passwordHash)
    await other(
      sql,
      await company('Padaria Outra', 'admin@outra.test', 'Pão quente o dia todo'),
      passwordHash,
    )
  })
}

const companyMaker = (sql: Sql, planId: number) => async (name: string, email: string, slogan: string) => {
  const [row] = await sql
    .insert(companies)
    .values({ name, companyName: name, email, slogan, planId, numberAttendants: 25, numberConections: 10 })
    .returning({ id: companies.id })
  return row!.id
}

async function lume(sql: Sql, companyId: number, passwordHash: string) {
  const groups = await sql
    .insert(userAuthorizations)
    .values([
      { companyId, name: 'Administradores', allowTicketExport: true },
      { companyId, name: 'Gerentes', allowTicketExport: true },
      { companyId, name: 'Operacionais', enableAdministration: 0, enableDash: 0 },
    ])
    .returning({ id: userAuthorizations.id })
  const sectors = await sql
    .insert(queues)
    .values([
      {
        companyId,
        name: 'Financeiro',
        color: '#008b02',
        greetingMessage: 'Você está no Financeiro. Já vamos atender.',
      },
      {
        companyId,
        name: 'Vendas',
        color: '#1273de',
        greetingMessage: 'Você está em Vendas. Já vamos atender.',
      },
      {
        companyId,
        name: 'Suporte',
        color: '#fe9200',
        greetingMessage: 'Você está no Suporte. Já vamos atender.',
      },
    ])
    .returning({ id: queues.id })
  const [line] = await sql
    .insert(whatsapps)
    .values({
      companyId,
      name: 'Loja Centro',
      lib: 'simulator',
      isDefault: true,
      status: 'CONNECTED',
      number: '551130001000',
      wanted: 'on',
      wantedOrder: 1,
      greetingMessage: 'Olá! Aqui é da Lume Móveis.',
    })
    .returning({ id: whatsapps.id })
  await sql.insert(tags).values([
    { companyId, name: 'VIP', color: '#a31f52' },
    { companyId, name: 'Troca', color: '#7a3ff2' },
    { companyId, name: 'Orçamento', color: '#b8860b' },
    { companyId, name: 'Reclamação', color: '#d32f2f' },
  ])
  const people = await sql
    .insert(users)
    .values([
      {
        companyId,
        name: 'Helena Prado',
        email: 'admin@balcao.test',
        passwordHash,
        profile: 'admin',
        userAuthorizationId: groups[0]!.id,
        payPanelAccess: true,
        whatsappId: line!.id,
      },
      {
        companyId,
        name: 'Marina Duarte',
        email: 'atendente@balcao.test',
        passwordHash,
        userAuthorizationId: groups[2]!.id,
        whatsappId: line!.id,
      },
      {
        companyId,
        name: 'Caio Ribeiro',
        email: 'caio@balcao.test',
        passwordHash,
        userAuthorizationId: groups[2]!.id,
        whatsappId: line!.id,
      },
      {
        companyId,
        name: 'Bianca Souza',
        email: 'bianca@balcao.test',
        passwordHash,
        userAuthorizationId: groups[1]!.id,
        whatsappId: line!.id,
      },
    ])
    .returning({ id: users.id })
  await sql
    .insert(userQueues)
    .values(
      people.flatMap(({ id: userId }) => sectors.map(({ id: queueId }) => ({ companyId, userId, queueId }))),
    )
}

async function other(sql: Sql, companyId: number, passwordHash: string) {
  const [queue] = await sql
    .insert(queues)
    .values({ companyId, name: 'Encomendas', color: '#8e24aa' })
    .returning({ id: queues.id })
  const [line] = await sql
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
      whatsappId: line!.id,
    })
    .returning({ id: users.id })
  await sql.insert(userQueues).values({ companyId, userId: admin!.id, queueId: queue!.id })
}
