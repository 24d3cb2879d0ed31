import type { SimulatedMessage } from '@balcao/contract/simulator.ts'
import { and, asc, desc, eq, lt, sql as tag } from 'drizzle-orm'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { simulatorFaults, simulatorMessages } from './simulator.table.ts'

export type SimulatorRow = typeof simulatorMessages.$inferSelect

/** Only connections whose lib is simulator have a phone. Refuses with ERR_NO_WAPP_FOUND. */
export async function findPhone(tx: Tx, whatsappId: number): Promise<void> {
  const [row] = await tx.sql
    .select({ lib: whatsapps.lib })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  if (row?.lib !== 'simulator') refuse('ERR_NO_WAPP_FOUND')
}

const on = (tx: Tx, whatsappId: number) =>
  and(eq(simulatorMessages.companyId, tx.companyId), eq(simulatorMessages.whatsappId, whatsappId))

export const untold = (tx: Tx, whatsappId: number, limit: number): Promise<SimulatorRow[]> =>
  tx.sql
    .select()
    .from(simulatorMessages)
    .where(and(on(tx, whatsappId), lt(simulatorMessages.toldAck, simulatorMessages.ack)))
    .orderBy(asc(simulatorMessages.id))
    .limit(limit)

export async function faultOf(tx: Tx, whatsappId: number) {
  const [row] = await tx.sql
    .select({ kind: simulatorFaults.kind })
    .from(simulatorFaults)
    .where(and(eq(simulatorFaults.companyId, tx.companyId), eq(simulatorFaults.whatsappId, whatsappId)))
  return row?.kind ?? 'none'
}

/** What one phone shows, oldest first: the newest 500. */
export async function chatOn(tx: Tx, whatsappId: number, number: string): Promise<SimulatedMessage[]> {
  const rows = await tx.sql
    .select()
    .from(simulatorMessages)
    .where(and(on(tx, whatsappId), eq(simulatorMessages.number, number)))
    .orderBy(desc(simulatorMessages.id))
    .limit(500)
  return rows.reverse().map(({ externalId, fromMe, body, ack, createdAt }) => ({
    id: externalId,
    fromMe,
    body,
    mediaUrl: null,
    mediaType: null,
    ack,
    createdAt,
  }))
}

export async function chatsOn(tx: Tx, whatsappId: number) {
  const newest = tx.sql
    .selectDistinctOn([simulatorMessages.number], {
      number: simulatorMessages.number,
      lastMessage: simulatorMessages.body,
      updatedAt: simulatorMessages.createdAt,
      name: tag<string>`coalesce((select n.name from simulator_messages n where n.company_id = ${tx.companyId}
        and n.whatsapp_id = ${whatsappId} and n.number = "simulator_messages"."number" and n.name <> ''
        order by n.id desc limit 1), '')`.as('shown_name'),
    })
    .from(simulatorMessages)
    .where(on(tx, whatsappId))
    .orderBy(simulatorMessages.number, desc(simulatorMessages.id))
    .as('newest')
  return tx.sql.select().from(newest).orderBy(desc(newest.updatedAt)).limit(200)
}
