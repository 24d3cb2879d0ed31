import { contacts } from '../../features/contacts/contacts.table.ts'
import { schedules } from '../../features/schedules/schedules.table.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, inArray, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import { customers } from './customers.ts'
import type { Stage } from './write.ts'

/** The messages that the shop has scheduled: in so many days, at a time of its clock. */
const planned = [
  {
    ...{ days: 1, at: '09:00', customer: 0, user: 1, typeSchedule: 'Único' as const },
    body: 'Bom dia! Passando só lembrando da visita do nosso medidor hoje à tarde.',
  },
  {
    ...{ days: 2, at: '14:30', customer: 1, user: 2, typeSchedule: 'Único' as const },
    body: 'Boa tarde! O orçamento que combinamos vale até amanhã. Ficou alguma dúvida?',
  },
  {
    ...{ days: 6, at: '10:00', customer: 18, user: 0, typeSchedule: 'Recorrente Mensal' as const },
    body: 'Olá! A lista deste mês com as peças disponíveis à pronta entrega já está na loja.',
  },
]

export async function lumeSchedules(sql: Sql, stage: Stage, timeZone: string): Promise<void> {
  const { companyId, whatsappId, team } = stage
  const numbers = planned.map(({ customer }) => customers[customer]!.number)
  const known = await sql
    .select({ id: contacts.id, number: contacts.number })
    .from(contacts)
    .where(and(eq(contacts.companyId, companyId), inArray(contacts.number, numbers)))
  await sql.insert(schedules).values(
    planned.map(({ days, at, customer, user, typeSchedule, body }) => {
      const shown = tag`((now() at time zone ${timeZone})::date + ${days}::int + ${at}::time)`
      const sendAt: SQL<string> = tag`(${shown} at time zone ${timeZone})`
      return {
        ...{ companyId, whatsappId, body, typeSchedule, sendAt, nextAt: sendAt },
        contactId: known.find(({ number }) => number === customers[customer]!.number)!.id,
        userId: team[user]!.id,
        typeMessage: 'Texto' as const,
        firstAt: tag`to_char(${shown}, 'YYYY-MM-DD"T"HH24:MI')`,
      }
    }),
  )
}
