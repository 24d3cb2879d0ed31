import { LONG_PAGE } from '@balcao/contract/kit.ts'
import type { Typing } from '@balcao/contract/messages.ts'
import type { SimulatedMessage } from '@balcao/contract/simulator.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { namesFiles } from '../../platform/files/orphans.ts'
import { addressOf } from '../../platform/files/served.ts'
import { type Sql, together } from '../../platform/postgres/db.ts'
import { given, inserting, prepared } from '../../platform/postgres/prepared.ts'
import { and, asc, desc, eq, exists, inArray, lt, or, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { whatsappLeases, whatsapps } from '../connections/connections.table.ts'
import type { PhoneContent } from './simulator.rules.ts'
import { simulatorFaults, simulatorMessages } from './simulator.table.ts'

export type SimulatorRow = typeof simulatorMessages.$inferSelect

/** Only connections of the simulator have phones. Refuses with ERR_NO_WAPP_FOUND. */
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

const isMessage = tag`${simulatorMessages.content}->>'kind' = 'message'`

const on = (tx: Tx, whatsappId: number) =>
  and(eq(simulatorMessages.companyId, tx.companyId), eq(simulatorMessages.whatsappId, whatsappId))

const isUnreported = lt(simulatorMessages.reportedAck, simulatorMessages.ack)

/** Rows that the driver has not reported yet, oldest first. */
export const unreported = (tx: Tx, whatsappId: number, limit: number): Promise<SimulatorRow[]> =>
  unreportedRows(tx.sql, { companyId: tx.companyId, whatsappId, limit })

const unreportedRows = prepared(sql =>
  sql
    .select()
    .from(simulatorMessages)
    .where(
      and(
        eq(simulatorMessages.companyId, given('companyId')),
        eq(simulatorMessages.whatsappId, given('whatsappId')),
        isUnreported,
      ),
    )
    .orderBy(asc(simulatorMessages.id))
    .limit(given('limit')),
)

/** The connections that a process runs, of all companies, whose phones have something to report, or whose fault was changed. */
export async function phonesThatWait(sql: Sql, owner: string): Promise<number[]> {
  const rows = await waitingPhones(sql, { owner })
  return rows.map(({ whatsappId }) => whatsappId)
}

const waitingPhones = prepared(sql =>
  sql
    .select({ whatsappId: whatsapps.id })
    .from(whatsappLeases)
    .innerJoin(
      whatsapps,
      and(eq(whatsapps.companyId, whatsappLeases.companyId), eq(whatsapps.id, whatsappLeases.whatsappId)),
    )
    .leftJoin(
      simulatorFaults,
      and(eq(simulatorFaults.companyId, whatsapps.companyId), eq(simulatorFaults.whatsappId, whatsapps.id)),
    )
    .where(
      and(
        eq(whatsappLeases.owner, given('owner')),
        eq(whatsapps.lib, 'simulator'),
        or(
          tag`(${whatsapps.status} = 'CONNECTED') = (coalesce(${simulatorFaults.kind}, 'none') = 'offline')`,
          exists(
            sql
              .select({ one: tag`1` })
              .from(simulatorMessages)
              .where(
                and(
                  eq(simulatorMessages.companyId, whatsapps.companyId),
                  eq(simulatorMessages.whatsappId, whatsapps.id),
                  isUnreported,
                ),
              ),
          ),
        ),
      ),
    ),
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
  return rows
    .reverse()
    .flatMap(({ content, ...row }) => (content.kind === 'message' ? [asShown(row, content)] : []))
}

const asShown = (
  { externalId, fromMe, body, ack, createdAt }: Omit<SimulatorRow, 'content'>,
  content: Extract<PhoneContent, { kind: 'message' }>,
): SimulatedMessage => ({
  id: externalId,
  fromMe,
  body,
  mediaUrl: content.key ? addressOf(content.key) : null,
  mediaType: content.mediaType ?? null,
  media: content.media ?? null,
  dataJson: content.data ? JSON.stringify(content.data) : null,
  quotedId: content.quotedId ?? null,
  reactions: content.reactions ?? [],
  isForwarded: content.isForwarded ?? false,
  isDeleted: content.isDeleted ?? false,
  isPinned: content.isPinned ?? false,
  isEdited: content.isEdited ?? false,
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
  return row?.content.kind === 'message' ? { ...row, content: row.content } : null
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

/** The customer's newest name, else the first one: many sent messages may be between the two. */
const nameAmong = (order: 'asc' | 'desc') =>
  tag`(select few.name from (select n.id, n.name ${sameChat} order by n.id ${tag.raw(order)} limit 50) few
    where few.name <> '' order by few.id ${tag.raw(order)} limit 1)`
const nameOnPhone = tag<string>`coalesce(${nameAmong('desc')}, ${nameAmong('asc')}, '')`

const typingOn = tag<Typing>`coalesce((select n.said->>'state' from simulator_messages n
  where n.company_id = "simulator_messages"."company_id" and n.whatsapp_id = "simulator_messages"."whatsapp_id"
  and n.external_id = 'typing ' || "simulator_messages"."number"
  and n.created_at > now() - interval '10 seconds'), 'paused')`

/** Deletes everything on the phones of these numbers. Answers its content. */
export const dropChat = (tx: Tx, numbers: string[]) =>
  tx.sql
    .delete(simulatorMessages)
    .where(and(eq(simulatorMessages.companyId, tx.companyId), inArray(simulatorMessages.number, numbers)))
    .returning({ content: simulatorMessages.content })

export const insertRow = inserting(simulatorMessages)

export const insertOrCount = inserting(simulatorMessages, query =>
  query.onConflictDoUpdate({
    target: [simulatorMessages.companyId, simulatorMessages.whatsappId, simulatorMessages.externalId],
    set: { copies: tag`${simulatorMessages.copies} + 1` },
  }),
)

export const updateShown = (tx: Tx, id: number, fields: Partial<Pick<SimulatorRow, 'content' | 'body'>>) =>
  tx.sql
    .update(simulatorMessages)
    .set(fields)
    .where(and(eq(simulatorMessages.companyId, tx.companyId), eq(simulatorMessages.id, id)))

export async function setTyping(tx: Tx, whatsappId: number, number: string, state: Typing): Promise<void> {
  const content: PhoneContent = { kind: 'typing', state }
  const createdAt = databaseTime()
  await tx.sql
    .insert(simulatorMessages)
    .values({
      companyId: tx.companyId,
      whatsappId,
      number,
      externalId: `typing ${number}`,
      fromMe: true,
      body: '',
      content,
      createdAt,
    })
    .onConflictDoUpdate({
      target: [simulatorMessages.companyId, simulatorMessages.whatsappId, simulatorMessages.externalId],
      set: { content, createdAt },
    })
}

/** Receipts of a phone for everything it was sent; an ack only rises. */
export const raiseAcks = (tx: Tx, whatsappId: number, number: string, ack: number) =>
  raise(tx.sql, { companyId: tx.companyId, whatsappId, number, ack })

const raise = prepared(sql =>
  sql
    .update(simulatorMessages)
    .set({ ack: tag`${given('ack')}` })
    .where(
      and(
        eq(simulatorMessages.companyId, given('companyId')),
        eq(simulatorMessages.whatsappId, given('whatsappId')),
        eq(simulatorMessages.number, given('number')),
        eq(simulatorMessages.fromMe, true),
        lt(simulatorMessages.ack, given('ack')),
        isMessage,
      ),
    ),
)

export const setFault = (tx: Tx, whatsappId: number, kind: 'offline' | 'slow' | 'reject' | 'none') =>
  tx.sql
    .insert(simulatorFaults)
    .values({ companyId: tx.companyId, whatsappId, kind })
    .onConflictDoUpdate({ target: [simulatorFaults.companyId, simulatorFaults.whatsappId], set: { kind } })

/** Marks rows as reported, as they were read. */
export const markReported = (tx: Tx, rows: { id: number; ack: number }[]) =>
  together(
    tx.sql,
    ...rows.map(
      ({ id, ack }) =>
        () =>
          report(tx.sql, { companyId: tx.companyId, id, ack }),
    ),
  )

const report = prepared(sql =>
  sql
    .update(simulatorMessages)
    .set({ reportedAck: tag`${given('ack')}` })
    .where(and(eq(simulatorMessages.companyId, given('companyId')), eq(simulatorMessages.id, given('id')))),
)

export const phoneFiles = namesFiles(
  simulatorMessages,
  tag`'/media/' || (${simulatorMessages.content}->>'key')`,
)
