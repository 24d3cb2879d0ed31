import { whatsapps } from '../features/connections/connections.table.ts'
import { queues } from '../features/queues/queues.table.ts'
import { userQueues, users } from '../features/users/users.table.ts'
import type { Sql } from '../platform/postgres/db.ts'

interface Neighbour {
  /** Its admin first. */
  people: { name: string; email: string }[]
  queues: { name: string; color: string }[]
  number: string
}

export const bakery: Neighbour = {
  people: [{ name: 'Otávio Lemos', email: 'admin@outra.test' }],
  queues: [{ name: 'Encomendas', color: '#8e24aa' }],
  number: '552130002000',
}

export const clinic: Neighbour = {
  people: [
    { name: 'Cecília Barros', email: 'admin@clinica.test' },
    { name: 'Davi Nogueira', email: 'recepcao@clinica.test' },
  ],
  queues: [
    { name: 'Agendamento', color: '#00897b' },
    { name: 'Exames', color: '#1273de' },
  ],
  number: '551140003000',
}

/** A company beside the shop: its people, queues and a connected phone without messages. */
export async function neighbourCompany(
  sql: Sql,
  companyId: number,
  { people, queues: lines, number }: Neighbour,
  passwordHash: string,
): Promise<void> {
  const made = await sql
    .insert(queues)
    .values(lines.map(queue => ({ companyId, ...queue })))
    .returning({ id: queues.id })
  const [connection] = await sql
    .insert(whatsapps)
    .values({
      ...{ companyId, name: 'Principal', lib: 'simulator', isDefault: true, status: 'CONNECTED', number },
      ...{ wanted: 'on', wantedOrder: 1 },
    })
    .returning({ id: whatsapps.id })
  const there = await sql
    .insert(users)
    .values(
      people.map(({ name, email }, place) => ({
        ...{ companyId, name, email, passwordHash, whatsappId: connection!.id },
        ...(place === 0 && { profile: 'admin' as const, payPanelAccess: true }),
      })),
    )
    .returning({ id: users.id })
  await sql
    .insert(userQueues)
    .values(
      there.flatMap(({ id: userId }) => made.map(({ id: queueId }) => ({ companyId, userId, queueId }))),
    )
}
