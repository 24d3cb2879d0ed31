import { MAX_SNOOZE_DAYS } from '@balcao/contract/marks.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow, databaseTime } from '../../../platform/clock.ts'
import { refuse } from '../../../platform/errors.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { writeHistory } from '../moves/moves.actions.ts'
import { actorOf, ticketChanged, ticketState } from '../tickets.events.ts'
import { loadTicket, lockTicket, lockVisible, type TicketRow, updateTicket } from '../tickets.queries.ts'
import { findMarked } from './marks.actions.ts'
import { lockSnoozeOver } from './snooze.queries.ts'

const DAY_MS = 86_400_000

/**
 * Puts a ticket aside until a moment, or with null brings it back. Refuses with ERR_NO_TICKET_FOUND, with ERR_TICKET_NOT_OPEN
 * where it is closed, and with ERR_BAD_REQUEST where the moment is past or farther than a year.
 */
export const snooze = (scope: Scope, ticketId: number, until: string | null): Promise<Ticket> =>
  scope.transaction(async tx => {
    const row = await lockVisible(tx, ticketId)
    if (until === null) await (row.snoozedUntil !== null && wake(tx, row, { updatedAt: databaseTime() }))
    else await putAside(tx, row, until)
    return findMarked(tx, ticketId)
  })

async function putAside(tx: Tx, row: TicketRow, until: string) {
  if (row.status === 'closed') refuse('ERR_TICKET_NOT_OPEN')
  const ahead = Date.parse(until) - databaseNow()
  if (!(ahead > 0)) refuse('ERR_BAD_REQUEST', { field: 'until', message: 'In the past' })
  if (ahead > MAX_SNOOZE_DAYS * DAY_MS) refuse('ERR_BAD_REQUEST', { field: 'until', message: 'Too far' })
  await updateTicket(tx, row.id, { snoozedUntil: new Date(until).toISOString() })
  await publishWith(tx, row, 'snoozed')
}

/** The time of a snooze has come. False where it was brought back before. */
export const wakeInTime = (scope: Scope, ticketId: number): Promise<boolean> =>
  scope.transaction(async tx => {
    const row = await lockSnoozeOver(tx, ticketId)
    if (row) await wake(tx, row, { updatedAt: databaseTime() })
    return row !== null
  })

/** The customer wrote: within the commit of the message, which moved the ticket up already. */
export async function wakeByWord(tx: Tx, ticketId: number): Promise<void> {
  const row = await lockTicket(tx, ticketId)
  if (row && row.snoozedUntil !== null) await wake(tx, row, {})
}

async function wake(tx: Tx, row: TicketRow, moved: { updatedAt?: string }) {
  await updateTicket(tx, row.id, { snoozedUntil: null, ...moved })
  await publishWith(tx, row, 'awoke')
}

async function publishWith(tx: Tx, row: TicketRow, what: 'snoozed' | 'awoke') {
  const ticket = (await loadTicket(tx, row.id))!
  await writeHistory(tx, row.id, what, row, ticket)
  tx.emit(ticketChanged, { ticket, before: ticketState(row), by: actorOf(tx), transfer: false })
}
