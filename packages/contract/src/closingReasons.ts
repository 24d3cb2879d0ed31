import { z } from 'zod'
import { flag, id, listChannel, page, pageQuery, route, text } from './kit.ts'

/** A company has no more. */
export const MAX_CLOSING_REASONS = 200
/** Of the free words beside a reason. */
export const MAX_CLOSING_NOTE = 500

/** Why a ticket was closed. */
export const ClosingReason = z.object({
  id: z.int(),
  name: z.string(),
  /** The queues whose tickets it closes; empty for all tickets. */
  queueIds: z.array(z.int()),
  /** Whether it is offered; a ticket that it closed keeps it. */
  active: z.boolean(),
  /** What it closes was no attendance: no farewell and no survey follow. */
  spam: z.boolean(),
})
export type ClosingReason = z.infer<typeof ClosingReason>

export const ClosingReasonInput = z.object({
  name: text(2, 50),
  queueIds: z.array(id).max(200, 'Too Long!').optional(),
  active: flag.optional(),
  spam: flag.optional(),
})
export type ClosingReasonInput = z.infer<typeof ClosingReasonInput>

/** How the tickets of a queue are closed. */
export const QueueClosing = z.object({
  /** Whether users have to give a reason; what closes by itself never has one. */
  reasonRequired: flag,
  /** Sent when a user resolves a ticket of the queue, unless the user has an own one; empty for the connection's. */
  farewell: z.string().max(4000, 'Too Long!'),
})
export type QueueClosing = z.infer<typeof QueueClosing>

/** What a user who resolves tickets may say of it. */
export const ClosingInput = {
  closingReasonId: id.nullable().optional(),
  closingNote: z.string().trim().max(MAX_CLOSING_NOTE, 'Too Long!').nullable().optional(),
}

const closingReasonId = z.object({ closingReasonId: id })
const queueId = z.object({ queueId: id })

export const closingReasons = {
  list: route('GET', '/closing-reasons', {
    needs: 'session',
    summary: 'Closing reasons of the company by name, a page at a time.',
    query: pageQuery,
    reply: page('closingReasons', ClosingReason),
  }),
  choices: route('GET', '/closing-reasons/choices', {
    needs: 'session',
    summary:
      'The reasons that may be given for tickets of a queue (0: without a queue; without the parameter: of any), and whether one has to be given.',
    query: z.object({ queueId: id.or(z.literal('0').transform(() => 0)).optional() }),
    reply: z.object({ closingReasons: z.array(ClosingReason), reasonRequired: z.boolean() }),
  }),
  show: route('GET', '/closing-reasons/:closingReasonId', {
    needs: 'session',
    summary: 'One closing reason.',
    params: closingReasonId,
    reply: ClosingReason,
  }),
  create: route('POST', '/closing-reasons', {
    needs: 'administration',
    summary: `Adds a closing reason, for all tickets unless queues are named; its name is there once. A company has at most ${MAX_CLOSING_REASONS}.`,
    body: ClosingReasonInput,
    reply: ClosingReason,
  }),
  change: route('PUT', '/closing-reasons/:closingReasonId', {
    needs: 'administration',
    edits: '/closing-reasons/:closingReasonId',
    summary: 'Changes a closing reason; what is left out stays.',
    params: closingReasonId,
    body: ClosingReasonInput.partial(),
    reply: ClosingReason,
  }),
  remove: route('DELETE', '/closing-reasons/:closingReasonId', {
    needs: 'administration',
    summary: 'Deletes a closing reason; the tickets that it closed, and reports, keep its name.',
    params: closingReasonId,
  }),
  showQueue: route('GET', '/queue/:queueId/closing', {
    needs: 'session',
    summary: 'How the tickets of a queue are closed.',
    params: queueId,
    reply: QueueClosing,
  }),
  changeQueue: route('PUT', '/queue/:queueId/closing', {
    needs: 'administration',
    edits: '/queue/:queueId/closing',
    summary:
      'Changes how the tickets of a queue are closed: whether users have to give a reason, and the farewell. What is left out stays.',
    params: queueId,
    body: QueueClosing.partial(),
    reply: QueueClosing,
  }),
}

export const closingReasonChannel = listChannel('closingReason', ClosingReason)
