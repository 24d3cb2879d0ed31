import { LONG_PAGE } from '@balcao/contract/kit.ts'
import type { Typing } from '@balcao/contract/messages.ts'
import type { SimulatedMessage } from '@balcao/contract/simulator.ts'
import { given, prepared } from '../../platform/db.prepared.ts'
import { refuse } from '../../platform/errors.ts'
import { addressOf } from '../../platform/files.served.ts'
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
  mediaUrl: said.key ? addressOf(said.key) : null,
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

/** The chats of a phone by their newest message, one page: read from the newest on, until the page is full. */
export const chatsOn = (tx: Tx, whatsappId: number, before?: number) =>
  tx.sql
    .select({
      number: simulatorMessages.number,
      name: nameOnPhone.as('shown_name'),
      lastMessage: simulatorMessages.body,
      lastId: simulatorMessages.id,
      typing: typingOn.as('typing'),
      updatedAt: simulatorMessages.createdAt,
    })
    .from(simulatorMessages)
    .where(
      and(
        on(tx, whatsappId),
        isMessage,
        before ? lt(simulatorMessages.id, before) : undefined,
        eq(
          simulatorMessages.id,
          tag`(select n.id ${sameChat} and n.said->>'kind' = 'message' order by n.id desc limit 1)`,
        ),
      ),
    )
    .orderBy(desc(simulatorMessages.id))
    .limit(LONG_PAGE)

const sameChat = tag`from simulator_messages n where n.company_id = "simulator_messages"."company_id"
  and n.whatsapp_id = "simulator_messages"."whatsapp_id" and n.number = "simulator_messages"."number"`

/** As the customer called himself last; else as he did at first: between the two many may have been sent to him. */
const nameAmong = (order: 'asc' | 'desc') =>
  tag`(select few.name from (select n.id, n.name ${sameChat} order by n.id ${tag.raw(order)} limit 50) few
    where few.name <> '' order by few.id ${tag.raw(order)} limit 1)`
const nameOnPhone = tag<string>`coalesce(${nameAmong('desc')}, ${nameAmong('asc')}, '')`

const typingOn = tag<Typing>`coalesce((select n.said->>'state' from simulator_messages n
  where n.company_id = "simulator_messages"."company_id" and n.whatsapp_id = "simulator_messages"."whatsapp_id"
  and n.external_id = 'typing ' || "simulator_messages"."number"
  and n.created_at > now() - interval '10 seconds'), 'paused')`
