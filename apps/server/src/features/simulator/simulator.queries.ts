import type { Typing } from '@balcao/contract/messages.ts'
import type { SimulatedMessage } from '@balcao/contract/simulator.ts'
import { given, prepared } from '../../platform/db.prepared.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, desc, eq, lt, sql as tag } from '../../platform/sql.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { type Said, simulatorFaults, simulatorMessages } from './simulator.table.ts'

export type SimulatorRow = typeof simulatorMessages.$inferSelect

/** Only connections whose lib is simulator have a phone. Refuses with ERR_NO_WAPP_FOUND. */
export async function findPhone(tx: Tx, whatsappId: number): Promise<void> {
  const [row] = await libOf(tx.sql, { companyId: tx.companyId, whatsappId })
  if (row?.lib !== 'simulator') refuse('ERR_NO_WAPP_FOUND')
}

const libOf = prepared(sql =>
  sql
    .select({ lib: whatsapps.lib })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, given('companyId')), eq(whatsapps.id, given('whatsappId')))),
)

const isMessage = tag`${simulatorMessages.said}->>'kind' = 'message'`

const on = (tx: Tx, whatsappId: number) =>
  and(eq(simulatorMessages.companyId, tx.companyId), eq(simulatorMessages.whatsappId, whatsappId))

export const untold = (tx: Tx, whatsappId: number, limit: number): Promise<SimulatorRow[]> =>
  untoldRows(tx.sql, { companyId: tx.companyId, whatsappId, limit })

const untoldRows = prepared(sql =>
  sql
    .select()
    .from(simulatorMessages)
    .where(
      and(
        eq(simulatorMessages.companyId, given('companyId')),
        eq(simulatorMessages.whatsappId, given('whatsappId')),
        lt(simulatorMessages.toldAck, simulatorMessages.ack),
      ),
    )
    .orderBy(asc(simulatorMessages.id))
    .limit(given('limit')),
)

export async function faultOf(tx: Tx, whatsappId: number) {
  const [row] = await faults(tx.sql, { companyId: tx.companyId, whatsappId })
  return row?.kind ?? 'none'
}

const faults = prepared(sql =>
  sql
    .select({ kind: simulatorFaults.kind })
    .from(simulatorFaults)
    .where(
      and(
        eq(simulatorFaults.companyId, given('companyId')),
        eq(simulatorFaults.whatsappId, given('whatsappId')),
      ),
    ),
)

/** What one phone shows, oldest first: the newest 500. */
export async function chatOn(tx: Tx, whatsappId: number, number: string): Promise<SimulatedMessage[]> {
  const rows = await tx.sql
    .select()
    .from(simulatorMessages)
    .where(and(on(tx, whatsappId), eq(simulatorMessages.number, number), isMessage))
    .orderBy(desc(simulatorMessages.id))
    .limit(500)
  return rows.reverse().flatMap(({ said, ...row }) => (said.kind === 'message' ? [asShown(row, said)] : []))
}

const asShown = (
  { externalId, fromMe, body, ack, createdAt }: Omit<SimulatorRow, 'said'>,
  said: Extract<Said, { kind: 'message' }>,
): SimulatedMessage => ({
  id: externalId,
  fromMe,
  body,
  mediaUrl: said.key ? `/media/${said.key}` : null,
  mediaType: said.mediaType ?? null,
  media: said.media ?? null,
  dataJson: said.data ? JSON.stringify(said.data) : null,
  quotedId: said.quotedId ?? null,
  reactions: said.reactions ?? [],
  isForwarded: said.isForwarded ?? false,
  isDeleted: said.isDeleted ?? false,
  isEdited: said.isEdited ?? false,
  ack,
  createdAt,
})

/** A message that the phone shows, locked; null when there is none of that id. */
export async function shownMessage(tx: Tx, whatsappId: number, externalId: string) {
  const [row] = await tx.sql
    .select()
    .from(simulatorMessages)
    .where(and(on(tx, whatsappId), eq(simulatorMessages.externalId, externalId), isMessage))
    .for('update')
  return row?.said.kind === 'message' ? { ...row, said: row.said } : null
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
      typing:
        tag<Typing>`coalesce((select n.said->>'state' from simulator_messages n where n.company_id = ${tx.companyId}
        and n.whatsapp_id = ${whatsappId} and n.external_id = 'typing ' || "simulator_messages"."number"
        and n.created_at > now() - interval '10 seconds'), 'paused')`.as('typing'),
    })
    .from(simulatorMessages)
    .where(and(on(tx, whatsappId), isMessage))
    .orderBy(simulatorMessages.number, desc(simulatorMessages.id))
    .as('newest')
  return tx.sql.select().from(newest).orderBy(desc(newest.updatedAt)).limit(200)
}
