import { randomUUID } from 'node:crypto'
import { may } from '@balcao/contract/permissions.rules.ts'
import { canRead, withoutWords } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { and, desc, eq } from '../../platform/sql.ts'
import { nextProtocol } from '../companies/companies.actions.ts'
import { defaultConnection, queueIdsOf, userConnection } from '../connections/connections.queries.ts'
import { findContact } from '../contacts/contacts.queries.ts'
import { reaches, ticketIdsInCompany } from './tickets.checks.ts'
import { ticketChanged, ticketMoved } from './tickets.events.ts'
import { actorOf, writeHistory } from './tickets.history.ts'
import { livingOf, loadTicket, lockLiving, type TicketRow } from './tickets.queries.ts'
import { tickets } from './tickets.table.ts'
import { repliesUntilOn } from './tickets.window.ts'

export interface TicketOpening {
  contactId: number
  queueId?: number | null
  userId?: number
  whatsappId?: number | null
}

/**
 * An attendant starts a conversation. ERR_OTHER_OPEN_TICKET while one lives, unless the attendant's group allows
 * several and this one differs in queue or connection; ERR_NO_DEF_WAPP_FOUND without a connection to use;
 * ERR_CREATING_TICKET where nothing that is written would ever arrive.
 */
export function open(scope: Scope, wanted: TicketOpening): Promise<Ticket> {
  const me = viewerOf(scope)
  if (!wanted.queueId && !may(me, 'tickets:showAll'))
    return refuse('ERR_BAD_REQUEST', { field: 'queueId', message: 'Required' })
  if (wanted.queueId && !may(me, 'tickets:showAll') && !me.queueIds.includes(wanted.queueId))
    return refuse('ERR_NO_QUEUE_FOUND', { field: 'queueId' })
  if (wanted.userId && wanted.userId !== me.id && !may(me, 'tickets:showAll'))
    return refuse('ERR_NO_PERMISSION', { field: 'userId' })
  const work = scope.transaction(async tx => {
    const contact = await findContact(tx, wanted.contactId)
    await ticketIdsInCompany(tx, wanted)
    const whatsappId =
      wanted.whatsappId ?? (await connectionFor(tx, me.id)) ?? refuse('ERR_NO_DEF_WAPP_FOUND')
    if (!(await reaches(tx, contact.id, whatsappId))) refuse('ERR_CREATING_TICKET', { field: 'contactId' })
    const queueId = wanted.queueId ?? null
    const parallel = mayStandBeside(
      await livingOf(tx, contact.id),
      { whatsappId, queueId },
      me.authorization.allowMultipleTickets === 1,
    )
    const userId = wanted.userId ?? me.id
    return create(tx, {
      contactId: contact.id,
      isGroup: contact.isGroup,
      whatsappId,
      queueId,
      userId,
      status: 'open',
      source: 1,
      parallel,
      repliesUntil: await repliesUntilOn(tx, contact.id, whatsappId),
    })
  })
  return work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'tickets_one_living')) return refuse('ERR_OTHER_OPEN_TICKET')
    throw error
  })
}

/**
 * The living ticket that keeps another from being opened, the one the viewer may read first. Who may not read it is
 * told who attends it and where, and nothing of what was said. Refuses with ERR_NO_TICKET_FOUND.
 */
export async function inTheWay(tx: Tx, contactId: number): Promise<Ticket> {
  const viewer = viewerOf(tx)
  const living = await livingOf(tx, contactId)
  const [first] = living.toSorted((a, b) => Number(canRead(viewer, b)) - Number(canRead(viewer, a)))
  const ticket = (first && (await loadTicket(tx, first.id))) ?? refuse('ERR_NO_TICKET_FOUND')
  return canRead(viewer, ticket) ? ticket : { ...withoutWords(ticket), ...UNSAID }
}

const UNSAID = {
  unreadMessages: 0,
  waitingSince: null,
  repliesUntil: null,
  tags: [],
} satisfies Partial<Ticket>

/** False when it is the contact's only living ticket, true when it stands beside others; refused otherwise. */
function mayStandBeside(
  living: TicketRow[],
  wanted: Pick<TicketRow, 'whatsappId' | 'queueId'>,
  several: boolean,
) {
  if (living.length === 0) return false
  const same = living.some(one => one.whatsappId === wanted.whatsappId && one.queueId === wanted.queueId)
  if (same || !several) return refuse('ERR_OTHER_OPEN_TICKET')
  return living.some(one => one.whatsappId === wanted.whatsappId && !one.parallel)
}

/** The ticket that a contact's messages on a connection go to, locked; a new pending one when none lives. */
export async function ensureOpen(
  tx: Tx,
  contact: { id: number; isGroup: boolean },
  whatsappId: number,
): Promise<{ id: number; isNew: boolean; waitsForQueue: boolean }> {
  const [living] = await lockLiving(tx, contact.id, whatsappId)
  if (living) {
    const { id, status, queueId, userId } = living
    return { id, isNew: false, waitsForQueue: status === 'pending' && queueId === null && userId === null }
  }
  const place = { status: 'pending', queueId: await onlyQueueOf(tx, whatsappId), userId: null } as const
  const id = await insert(tx, {
    contactId: contact.id,
    isGroup: contact.isGroup,
    whatsappId,
    source: 0,
    parallel: false,
    ...place,
  })
  return { id, isNew: true, waitsForQueue: false }
}

/**
 * Where a message goes that disturbs nobody, such as one typed on the phone, locked: the living ticket, else the last
 * closed (of the queue, where one is named), else a new closed one.
 */
export async function ensureKept(
  tx: Tx,
  contact: { id: number; isGroup: boolean },
  whatsappId: number,
  { queueId, userId }: Pick<TicketRow, 'queueId' | 'userId'> = NOBODYS,
): Promise<number> {
  const onConnection = and(
    eq(tickets.companyId, tx.companyId),
    eq(tickets.contactId, contact.id),
    eq(tickets.whatsappId, whatsappId),
  )
  const [living] = await lockLiving(tx, contact.id, whatsappId)
  if (living) return living.id
  const [closed] = await tx.sql
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(onConnection, queueId === null ? undefined : eq(tickets.queueId, queueId)))
    .orderBy(desc(tickets.id))
    .limit(1)
    .for('update')
  if (closed) return closed.id
  return insert(tx, {
    contactId: contact.id,
    isGroup: contact.isGroup,
    whatsappId,
    source: 1,
    parallel: false,
    status: 'closed',
    queueId,
    userId,
  })
}

/**
 * The ticket of what a program sends, locked: the living one there as it stands, or a new one of this place. With `another`
 * always a new one, which stands beside the living. The caller makes others of this chat wait, and knows until when it
 * may be written to freely.
 */
export async function ensurePlaced(
  tx: Tx,
  contact: { id: number; isGroup: boolean },
  whatsappId: number,
  place: Pick<TicketRow, 'status' | 'queueId' | 'userId'>,
  another: boolean,
  repliesUntil: string | null,
): Promise<{ id: number; isNew: boolean }> {
  const [living] = await lockLiving(tx, contact.id, whatsappId)
  if (living && !another) return { id: living.id, isNew: false }
  const { id } = await create(tx, {
    contactId: contact.id,
    isGroup: contact.isGroup,
    whatsappId,
    source: 1,
    parallel: living !== undefined && place.status !== 'closed',
    ...place,
    repliesUntil,
  })
  return { id, isNew: true }
}

const NOBODYS = { queueId: null, userId: null }

type Fields = Pick<
  TicketRow,
  'contactId' | 'isGroup' | 'whatsappId' | 'queueId' | 'userId' | 'status' | 'source' | 'parallel'
> &
  Partial<Pick<TicketRow, 'repliesUntil'>>

async function create(tx: Tx, fields: Fields) {
  const ticketId = await insert(tx, fields)
  const ticket = await emitTicketOpened(tx, ticketId)
  await tx.involve(ticketMoved, { ticket, before: null })
  return ticket
}

/** Tells everyone of a ticket that did not exist before; said last, when all that came with it is written. */
export async function emitTicketOpened(tx: Tx, ticketId: number): Promise<Ticket> {
  const ticket = (await loadTicket(tx, ticketId))!
  tx.emit(ticketChanged, { ticket, before: null, by: actorOf(tx), transfer: false })
  return ticket
}

async function insert(tx: Tx, fields: Fields) {
  const [row] = await tx.sql
    .insert(tickets)
    .values({
      ...fields,
      companyId: tx.companyId,
      uuid: randomUUID(),
      protocol: await nextProtocol(tx),
      ...(fields.status === 'closed' && { closedAt: new Date().toISOString() }),
    })
    .returning({ id: tickets.id })
  await writeHistory(tx, row!.id, 'opened', null, fields)
  return row!.id
}

const connectionFor = async (tx: Tx, userId: number) =>
  (await userConnection(tx, userId)) ?? (await defaultConnection(tx))

/** A connection of one queue puts its tickets there; with several the greeting asks, with none nobody chose. */
async function onlyQueueOf(tx: Tx, whatsappId: number): Promise<number | null> {
  const queueIds = await queueIdsOf(tx, whatsappId)
  return queueIds.length === 1 ? (queueIds[0] ?? null) : null
}
