import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { NO_CLOCKS } from '@balcao/contract/targets.ts'
import { canRead, withoutWords } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseTime } from '../../../platform/clock.ts'
import { isUniqueViolation, refuse } from '../../../platform/errors.ts'
import { together } from '../../../platform/postgres/db.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { defaultConnection, queueIdsOf, userConnection } from '../../connections/connections.queries.ts'
import { findCustomer } from '../../contacts/contacts.owners.queries.ts'
import { actorOf, ticketChanged, ticketMoved } from '../tickets.events.ts'
import { loadTicket, loadTickets, type OwnedRow, type TicketRow } from '../tickets.queries.ts'
import { writeHistories, writeHistory } from './moves.actions.ts'
import { ticketIdsInCompany } from './moves.queries.ts'
import {
  closeImportedRows,
  insertTickets,
  type KeptTicket,
  livingOf,
  lockKeptOf,
  lockLivingOf,
  ticketForImport,
} from './open.queries.ts'
import { isParallel } from './parallel.rules.ts'
import { reaches, repliesUntilOn } from './reach.queries.ts'

export interface TicketOpening {
  contactId: number
  queueId?: number | null
  userId?: number
  whatsappId?: number | null
}

/**
 * Opens a ticket for a user. ERR_OTHER_OPEN_TICKET while the contact has one that is not closed, unless the user's group
 * allows several and queue or connection differ; ERR_NO_DEF_WAPP_FOUND without a connection; ERR_CREATING_TICKET where
 * the connection cannot reach the contact.
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
    const contact = await findCustomer(tx, wanted.contactId)
    await ticketIdsInCompany(tx, wanted)
    const whatsappId =
      wanted.whatsappId ?? (await connectionFor(tx, me.id)) ?? refuse('ERR_NO_DEF_WAPP_FOUND')
    if (!(await reaches(tx, contact.id, whatsappId))) refuse('ERR_CREATING_TICKET', { field: 'contactId' })
    const queueId = wanted.queueId ?? null
    const parallel = isParallel(
      await livingOf(tx, contact.id),
      { whatsappId, queueId },
      { several: me.authorization.allowMultipleTickets === 1 },
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

const connectionFor = async (tx: Tx, userId: number) =>
  (await userConnection(tx, userId)) ?? (await defaultConnection(tx))

/**
 * The ticket that keeps another from being opened, one that the viewer may read before others. Where the viewer may not
 * read it, it has user and queue but no texts. Refuses with ERR_NO_TICKET_FOUND.
 */
export async function inTheWay(tx: Tx, contactId: number): Promise<Ticket> {
  const viewer = viewerOf(tx)
  const living = await livingOf(tx, contactId)
  const [first] = living.toSorted((a, b) => Number(canRead(viewer, b)) - Number(canRead(viewer, a)))
  const ticket = (first && (await loadTicket(tx, first.id))) ?? refuse('ERR_NO_TICKET_FOUND')
  return canRead(viewer, ticket) ? ticket : { ...withoutWords(ticket), ...HIDDEN }
}

const HIDDEN = {
  unreadMessages: 0,
  failedMessages: 0,
  waitingSince: null,
  repliesUntil: null,
  targets: NO_CLOCKS,
  targetDueAt: null,
  tags: [],
} satisfies Partial<Ticket>

/**
 * The tickets that contacts' messages on a connection go to, locked; new pending ones where all are closed. `lastType`: the kind of
 * the last message of one.
 */
export async function ensureOpen(
  tx: Tx,
  contacts: { id: number; isGroup: boolean }[],
  whatsappId: number,
): Promise<{ id: number; isNew: boolean; waitsForQueue: boolean; lastType: string | null }[]> {
  const each = [...new Map(contacts.map(contact => [contact.id, contact])).values()]
  const ids = each.map(({ id }) => id)
  const living = await lockLivingOf(tx, ids, whatsappId)
  const opened = each.filter(({ id }) => !living.has(id))
  // a connection with one queue puts its tickets there; with several the greeting asks for it
  const [only, ...others] = opened.length > 0 ? await queueIdsOf(tx, whatsappId) : []
  const queueId = others.length === 0 ? (only ?? null) : null
  const state = { status: 'pending', queueId, userId: null, source: 0, parallel: false } as const
  const newIds = await insertAll(
    tx,
    opened.map(({ id: contactId, isGroup }) => ({ contactId, isGroup, whatsappId, ...state })),
  )
  return contacts.map(({ id }, at) => {
    const known = living.get(id)
    if (known) {
      const { status, queueId, userId, lastMessageType: lastType } = known
      const waitsForQueue = status === 'pending' && queueId === null && userId === null
      return { id: known.id, isNew: false, waitsForQueue, lastType }
    }
    const newId = newIds[opened.findIndex(one => one.id === id)]!
    const isNew = contacts.findIndex(one => one.id === id) === at
    return { id: newId, isNew, waitsForQueue: false, lastType: null }
  })
}

/**
 * The ticket of a message that opens none, such as one typed on the phone, locked: the one that is not closed, else the
 * newest (of the queue, where one is named), else a new closed one.
 */
export const ensureKept = async (
  tx: Tx,
  contact: { id: number; isGroup: boolean },
  whatsappId: number,
): Promise<number> => (await ensureAllKept(tx, [{ contact, whatsappId, queueId: null, userId: null }]))[0]!.id

/** Whom a message is for, over which connection, and the queue and the user of a new ticket. */
export type Keeping = Pick<TicketRow, 'queueId' | 'userId'> & {
  contact: { id: number; isGroup: boolean }
  whatsappId: number
}

/** The same for several messages, in their order; a contact is named once a connection. */
export async function ensureAllKept(tx: Tx, keepings: Keeping[]): Promise<KeptTicket[]> {
  const known = await lockKeptOf(
    tx,
    keepings.map(({ contact, whatsappId, queueId }) => ({ contactId: contact.id, whatsappId, queueId })),
  )
  const opened = keepings.flatMap(({ contact: { id: contactId, isGroup }, ...place }, at) =>
    known[at]
      ? []
      : [{ contactId, isGroup, ...place, source: 1, parallel: false, status: 'closed' as const }],
  )
  const ids = (await insertAll(tx, opened)).values()
  return known.map(one => one ?? { id: ids.next().value!, isWaiting: false })
}

/**
 * The ticket of a message sent by a program in the name of `by` (null: of a user who reads every ticket), locked: the one
 * that is not closed, unchanged, or a new one in this state; with `another` always a new one, parallel to the other. The
 * caller holds the lock of the chat. Refuses with ERR_OTHER_OPEN_TICKET where the contact has a ticket that `by` may not
 * read, unless they might open another beside it, and with ERR_NO_QUEUE_FOUND where they might not read the new one.
 */
export async function ensurePlaced(
  tx: Tx,
  contact: { id: number; isGroup: boolean; ownerId: number | null },
  state: Pick<TicketRow, 'status' | 'queueId' | 'userId'> & { whatsappId: number },
  { another, by }: { another: boolean; by: Viewer | null },
  repliesUntil: string | null,
): Promise<{ id: number; isNew: boolean }> {
  const living = (await lockLivingOf(tx, [contact.id], state.whatsappId)).get(contact.id)
  if (living && !another)
    return !by || canRead(by, { ...living, ownerId: contact.ownerId })
      ? { id: living.id, isNew: false }
      : refuse('ERR_OTHER_OPEN_TICKET')
  if (by) await refuseForeign(tx, contact.id, { ...state, ownerId: contact.ownerId }, by)
  const { id } = await create(tx, {
    contactId: contact.id,
    isGroup: contact.isGroup,
    source: 1,
    parallel: living !== undefined && state.status !== 'closed',
    ...state,
    repliesUntil,
  })
  return { id, isNew: true }
}

async function refuseForeign(
  tx: Tx,
  contactId: number,
  state: Pick<OwnedRow, 'whatsappId' | 'status' | 'queueId' | 'userId' | 'ownerId'>,
  by: Viewer,
) {
  const foreign = state.queueId !== null && !by.queueIds.includes(state.queueId)
  if (foreign || !canRead(by, state)) refuse('ERR_NO_QUEUE_FOUND', { field: 'queueId' })
  const living = await livingOf(tx, contactId)
  const several = by.authorization.allowMultipleTickets === 1
  if (!living.every(one => canRead(by, one))) isParallel(living, state, { several })
}

type Fields = Pick<
  TicketRow,
  'contactId' | 'isGroup' | 'whatsappId' | 'queueId' | 'userId' | 'status' | 'source' | 'parallel'
> &
  Partial<Pick<TicketRow, 'repliesUntil'>>

async function create(tx: Tx, fields: Fields) {
  const [id] = (await insertTickets(tx, [fields])) as [number]
  const [, loaded] = await together(
    tx.sql,
    () => writeHistory(tx, id, 'opened', null, fields),
    () => loadTicket(tx, id),
  )
  const ticket = publishOpened(tx, loaded!)
  await tx.involve(ticketMoved, { ticket, before: null })
  return ticket
}

/** Publishes a new ticket; called when everything that came with it is written. */
export function publishOpened(tx: Tx, ticket: Ticket): Ticket {
  tx.emit(ticketChanged, { ticket, before: null, by: actorOf(tx), transfer: false })
  return ticket
}

async function insertAll(tx: Tx, opened: Fields[]): Promise<number[]> {
  if (opened.length === 0) return []
  const ids = await insertTickets(tx, opened)
  const moved = opened.map((to, at) => ({ ticketId: ids[at]!, from: null, to }))
  await writeHistories(tx, 'opened', moved)
  return ids
}

/**
 * The ticket that imported messages of a contact go to: the one that is not closed, else the one an import made, else a
 * new pending one without a queue, dated like its first message `at`. Publishes nothing.
 */
export async function ensureImported(
  tx: Tx,
  contact: { id: number; isGroup: boolean },
  whatsappId: number,
  at: string,
): Promise<number> {
  const known = await ticketForImport(tx, contact.id, whatsappId)
  if (known) return known.id
  const times = { importedAt: databaseTime(), createdAt: at, updatedAt: at }
  const ticket = { status: 'pending' as const, contactId: contact.id, isGroup: contact.isGroup, whatsappId }
  return (await insertTickets(tx, [{ ...ticket, ...times }]))[0]!
}

/** So many tickets are published one by one; other screens fetch the list again. */
const MOST_PUBLISHED = 1_000

/** Closes the pending tickets that an import made on a connection, but for those with unread messages. Returns how many. */
export async function closeImported(tx: Tx, whatsappId: number): Promise<number> {
  const closed = await closeImportedRows(tx, whatsappId)
  const queueIds = new Map(closed.map(one => [one.id, one.queueId]))
  for (const ticket of await loadTickets(tx, [...queueIds.keys()].slice(0, MOST_PUBLISHED))) {
    const before = { status: 'pending', userId: null, queueId: queueIds.get(ticket.id) ?? null } as const
    tx.emit(ticketChanged, { ticket, before, by: null, transfer: false })
  }
  return closed.length
}
