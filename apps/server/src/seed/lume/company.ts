import {
  businessHolidays,
  businessHours,
  businessWeeks,
} from '../../features/businessHours/businessHours.table.ts'
import { whatsapps } from '../../features/connections/connections.table.ts'
import { flows } from '../../features/flows/flows.table.ts'
import { userAuthorizations } from '../../features/permissions/permissions.table.ts'
import { queues } from '../../features/queues/queues.table.ts'
import { quickAnswers } from '../../features/quickAnswers/quickAnswers.table.ts'
import { tags } from '../../features/tags/tags.table.ts'
import { userQueues, users } from '../../features/users/users.table.ts'
import { databaseDate } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { lumeFlows } from './flows.ts'
import { lumeQuickAnswers } from './quick-answers.ts'
import type { Stage } from './write.ts'

/** The furniture shop: its people, queues, tags and a connected phone. Answers them for what happens there. */
export async function lumeCompany(sql: Sql, companyId: number, passwordHash: string): Promise<Stage> {
  const sectors = await insertSectors(sql, companyId)
  const whatsappId = await insertConnection(sql, companyId)
  const labels = await insertTags(sql, companyId)
  await sql
    .insert(quickAnswers)
    .values(lumeQuickAnswers.map(([shortcut, message]) => ({ companyId, shortcut, message })))
  await sql.insert(flows).values(lumeFlows.map(flow => ({ companyId, ...flow })))
  const team = await insertTeam(sql, { companyId, whatsappId, passwordHash })
  await sql
    .insert(userQueues)
    .values(
      team.flatMap(({ id: userId }) => sectors.map(({ id: queueId }) => ({ companyId, userId, queueId }))),
    )
  await openHours(sql, companyId)
  return {
    companyId,
    whatsappId,
    team,
    sectors: byName(sectors) as Stage['sectors'],
    tags: byName(labels),
  }
}

const insertSectors = (sql: Sql, companyId: number) =>
  sql
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
    .returning({ id: queues.id, name: queues.name })

async function insertConnection(sql: Sql, companyId: number): Promise<number> {
  const [connection] = await sql
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
    })
    .returning({ id: whatsapps.id })
  return connection!.id
}

const insertTags = (sql: Sql, companyId: number) =>
  sql
    .insert(tags)
    .values([
      { companyId, name: 'VIP', color: '#a31f52' },
      // three of them are lanes of the board
      { companyId, name: 'Troca', color: '#7a3ff2', kanban: 1 },
      { companyId, name: 'Orçamento', color: '#b8860b', kanban: 1 },
      { companyId, name: 'Reclamação', color: '#d32f2f', kanban: 1 },
    ])
    .returning({ id: tags.id, name: tags.name })

async function insertTeam(
  sql: Sql,
  { companyId, whatsappId, passwordHash }: { companyId: number; whatsappId: number; passwordHash: string },
) {
  const groups = await sql
    .insert(userAuthorizations)
    .values([
      { companyId, name: 'Administradores', allowTicketExport: true },
      { companyId, name: 'Gerentes', allowTicketExport: true },
      { companyId, name: 'Operacionais', enableAdministration: 0, enableDash: 0 },
    ])
    .returning({ id: userAuthorizations.id })
  const [admins, managers, operators] = groups.map(({ id }) => id)
  const everyone = { companyId, whatsappId, passwordHash }
  return sql
    .insert(users)
    .values([
      {
        ...everyone,
        name: 'Helena Prado',
        email: 'admin@balcao.test',
        profile: 'admin',
        userAuthorizationId: admins!,
        payPanelAccess: true,
      },
      {
        ...everyone,
        name: 'Marina Duarte',
        email: 'atendente@balcao.test',
        userAuthorizationId: operators!,
      },
      { ...everyone, name: 'Caio Ribeiro', email: 'caio@balcao.test', userAuthorizationId: operators! },
      { ...everyone, name: 'Bianca Souza', email: 'bianca@balcao.test', userAuthorizationId: managers! },
    ])
    .returning({ id: users.id, name: users.name })
}

/** Open from Monday to Saturday noon, and closed on Christmas and at New Year. */
async function openHours(sql: Sql, companyId: number) {
  const usualZone = 'America/Sao_Paulo'
  await sql.insert(businessWeeks).values({ companyId, usualZone })
  const week = [1, 2, 3, 4, 5].map(weekday => ({ weekday, opens: 8 * 60, closes: 18 * 60 }))
  await sql
    .insert(businessHours)
    .values([...week, { weekday: 6, opens: 9 * 60, closes: 13 * 60 }].map(one => ({ companyId, ...one })))
  const year = databaseDate().getFullYear()
  await sql.insert(businessHolidays).values(
    [year - 1, year].flatMap(one => [
      { companyId, day: `${one}-12-25`, name: 'Natal' },
      { companyId, day: `${one + 1}-01-01`, name: 'Ano-Novo' },
    ]),
  )
}

const byName = (rows: { id: number; name: string }[]) =>
  Object.fromEntries(rows.map(({ name, id }) => [name, id]))
