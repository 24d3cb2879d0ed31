import { type TimedMessage, timetable } from '@balcao/contract/flows.rules.ts'
import type { FlowRun } from '@balcao/contract/flows.ts'
import { filled } from '@balcao/contract/placeholders.rules.ts'
import { repliesAreOver } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow, databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { idFrom } from '../../platform/ids.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { askPlan } from '../companies/companies.queries.ts'
import { connectionsUnderWay, whyNotUnderWay } from '../connections/connections.queries.ts'
import { post } from '../messages/messages.actions.ts'
import { placeholders } from '../messages/outbox/greetings.actions.ts'
import { lastDue, postpone } from '../messages/outbox/waiting.queries.ts'
import { withdrawWaiting } from '../messages/outbox/withdraw.actions.ts'
import type { TicketState } from '../tickets/tickets.events.ts'
import { loadTicket, lockVisible } from '../tickets/tickets.queries.ts'
import { flowRunChanged } from './flows.events.ts'
import { lockFlow, lockFlowOrNull } from './flows.queries.ts'
import { endRun, endRuns, insertRun, lockOver, moveEnd, runningOn, runOrNull } from './flows.runs.queries.ts'
import type { flows, StoredAction } from './flows.table.ts'

/** How long a flow pauses after a user wrote. */
const PAUSE_AFTER_USER_MS = 8_000

/**
 * A user plays a flow on an open ticket. `cause` is an idempotency key. Refuses with ERR_NO_TICKET_FOUND, ERR_TICKET_NOT_OPEN,
 * ERR_NOT_IN_PLAN, ERR_FLOW_RUNNING, ERR_WAPP_NOT_INITIALIZED, ERR_COMPANY_SUSPENDED, ERR_WAPP_WINDOW_CLOSED where only a
 * template is allowed, ERR_NOT_FOUND for a flow of bots, and ERR_BAD_REQUEST for an empty one.
 */
export const playFlow = (scope: Scope, ticketId: number, flowId: number, cause: string): Promise<FlowRun> =>
  scope.transaction(async tx => {
    const row = await lockVisible(tx, ticketId)
    const before = await runOrNull(tx, cause)
    if (before) return before
    if (row.status !== 'open') refuse('ERR_TICKET_NOT_OPEN')
    await askPlan(tx, 'enableFlows')
    const underWay = await connectionsUnderWay(tx)
    if (row.whatsappId === null || !underWay.includes(row.whatsappId)) refuse(await whyNotUnderWay(tx))
    if (repliesAreOver(row.repliesUntil, databaseNow())) refuse('ERR_WAPP_WINDOW_CLOSED')
    const flow = await lockFlow(tx, flowId, 'share')
    if (flow.type !== 'Chat') refuse('ERR_NOT_FOUND', { field: 'flowId' })
    if (timetable(flow.flowActions).length === 0)
      refuse('ERR_BAD_REQUEST', { field: 'flowId', message: 'It says nothing' })
    const running = await runningOn(tx, ticketId)
    const ticket = (await loadTicket(tx, ticketId))!
    const { id, name } = viewerOf(tx)
    if (running) refuse('ERR_FLOW_RUNNING', { details: { name: running.name } })
    return startRun({ tx, ticket, flow, cause, startAt: databaseTime(), by: { id, name } })
  })

/**
 * A bot plays a flow on a ticket that the caller holds locked; its messages are due from `startAt`. The same `cause` plays it
 * once. Returns when the last is due; null for a deleted flow or without a connection.
 */
export async function startFlow(
  tx: Tx,
  ticket: Ticket,
  flowId: number,
  cause: string,
  startAt: string,
): Promise<string | null> {
  const flow = await lockFlowOrNull(tx, flowId, 'share')
  if (!flow || ticket.whatsappId === null) return null
  return ((await runOrNull(tx, cause)) ?? (await startRun({ tx, ticket, flow, cause, startAt, by: null })))
    .endsAt
}

/** Ends the flows of a ticket and withdraws their waiting messages. The caller holds the ticket locked. */
export async function stopFlow(tx: Tx, ticketId: number): Promise<void> {
  if (!(await endRuns(tx, ticketId))) return
  await withdrawWaiting(tx, ticketId, 'flow')
  tx.emit(flowRunChanged, { ticket: (await loadTicket(tx, ticketId))!, run: null })
}

/** Refuses with ERR_NO_TICKET_FOUND. */
export const stopByUser = (scope: Scope, ticketId: number): Promise<void> =>
  scope.transaction(async tx => {
    await lockVisible(tx, ticketId)
    await stopFlow(tx, ticketId)
  })

/** A user wrote: a user's flow pauses, a bot's ends. */
export async function onCompanyMessage(tx: Tx, ticketId: number): Promise<void> {
  const running = await runningOn(tx, ticketId)
  if (!running) return
  if (running.user === null) return stopFlow(tx, ticketId)
  await postpone(tx, ticketId, 'flow', new Date(databaseNow() + PAUSE_AFTER_USER_MS).toISOString())
}

/** The ticket moved: a user's flow ends unless it is open, a bot's when a user closes or accepts it. */
export async function followTicket(tx: Tx, ticket: Ticket, before: TicketState): Promise<void> {
  const running = await runningOn(tx, ticket.id)
  if (!running) return
  const isTaken = ticket.status === 'closed' || (ticket.status === 'open' && before.status !== 'open')
  const isOver = running.user ? ticket.status !== 'open' : isTaken && tx.viewer !== null
  if (isOver) await stopFlow(tx, ticket.id)
}

/** Ends a flow that is over; one with messages in the outbox gets a later end. */
export const endOver = (scope: Scope, runId: number): Promise<void> =>
  scope.transaction(async tx => {
    const run = await lockOver(tx, runId)
    if (!run) return
    const last = await lastDue(tx, run.ticketId, 'flow')
    const next = last && Math.max(Date.parse(last), databaseNow() + 1_000)
    if (next) return void (await moveEnd(tx, runId, new Date(next).toISOString()))
    await endRun(tx, runId)
    const ticket = await loadTicket(tx, run.ticketId)
    if (ticket) tx.emit(flowRunChanged, { ticket, run: await runningOn(tx, run.ticketId) })
  })

interface NewRun {
  tx: Tx
  ticket: Ticket
  flow: typeof flows.$inferSelect
  cause: string
  startAt: string
  by: { id: number; name: string } | null
}

async function startRun({ tx, ticket, flow, cause, startAt, by }: NewRun): Promise<FlowRun> {
  const plan = timetable(flow.flowActions)
  const { id: flowId, name } = flow
  const run = await insertRun(tx, {
    ticketId: ticket.id,
    flowId,
    name,
    userId: by?.id ?? null,
    userName: by?.name ?? '',
    cause,
    startedAt: startAt,
    endsAt: after(startAt, plan.at(-1)?.at ?? 0),
  })
  const values = await placeholders(tx, ticket, by)
  const now = databaseNow()
  const drafts = plan.map((spoken, at) => ({
    id: idFrom(`flow ${cause} ${at}`),
    ticketId: ticket.id,
    contactId: ticket.contactId,
    whatsappId: ticket.whatsappId!,
    source: 'flow' as const,
    userId: by?.id ?? null,
    ...partOf(spoken),
    body: filled(spoken.action.body, values),
    createdAt: new Date(now + at).toISOString(),
    dueAt: after(startAt, spoken.at),
    typing: spoken.typing,
    typingFrom: spoken.typing && after(startAt, spoken.typingFrom),
  }))
  // a customer whom a bot answers still waits for a user
  await post(tx, drafts, by ? 'answer' : 'aside')
  tx.emit(flowRunChanged, { ticket, run })
  return run
}

/** A recorded file is a voice note where `typing` showed a recording. */
function partOf({ action, typing }: TimedMessage<StoredAction>) {
  const { mediaType, mediaUrl, file, sha256 } = action
  if (!file) return { mediaType: null }
  const isVoice = typing === 'recording' && file.type === 'audio/ogg; codecs=opus'
  return { mediaType, mediaUrl, media: { ...file, isVoice, ...(sha256 && { sha256 }) } }
}

const after = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString()
