import { z } from 'zod'
import { channel, id, idList, instant, localeTag, moment, oneOf, page, pageNumber, route } from './kit.ts'

/** What a customer is promised: the first answer, every answer, the resolution. */
export const TargetKind = z.enum(['firstReply', 'reply', 'resolution'])
export type TargetKind = z.infer<typeof TargetKind>

/** A target lasts at most thirty days. */
const minutes = z.int().min(1).max(43_200).nullable()

/** Targets of a queue; null for none. */
export const QueueTargets = z.object({
  firstReplyMinutes: minutes,
  replyMinutes: minutes,
  resolutionMinutes: minutes,
  /** Only the time in which the queue is open counts: its hours, else those of the connection, else of the company. */
  withinHours: z.boolean(),
  /** Where a ticket goes whose target is missed, once: never to a queue in which it was before. */
  moveToQueueId: z.int().nullable(),
})
export type QueueTargets = z.infer<typeof QueueTargets>

export const QueueTargetsInput = QueueTargets.extend({ moveToQueueId: id.nullable() }).partial()

/**
 * `running`; `paused`: outside the hours, or while a bot leads the ticket or it is snoozed; `kept`: reached in time; `missed`: it was due
 * before it was reached, whether it was reached since or not.
 */
export const TargetState = z.enum(['running', 'paused', 'kept', 'missed'])
export type TargetState = z.infer<typeof TargetState>

export const TargetClock = z.object({
  state: TargetState,
  /** Null while that is not known: a bot leads the ticket, it is snoozed, or the queue is never open. */
  dueAt: instant.nullable(),
  /** From then on the last third of its time runs. */
  soonAt: instant.nullable(),
  /** When it was reached; null while it is not. */
  endedAt: instant.nullable(),
})
export type TargetClock = z.infer<typeof TargetClock>

/**
 * The clocks of a ticket, since it is in its queue; null for those that do not run there. `firstReply`: from the first word of
 * the customer to the first answer of a person, once a service; `reply`: from each word that waits to the next answer of a
 * person; `resolution`: to the closing.
 */
export const TicketTargets = z.object({
  firstReply: TargetClock.nullable(),
  reply: TargetClock.nullable(),
  resolution: TargetClock.nullable(),
})
export type TicketTargets = z.infer<typeof TicketTargets>

/** Where none ever ran. */
export const NO_CLOCKS: TicketTargets = { firstReply: null, reply: null, resolution: null }

/** Only tickets that are late, or that will be soon. */
export const TargetFilter = z.enum(['late', 'soon'])
export type TargetFilter = z.infer<typeof TargetFilter>

const Count = z.object({ kept: z.int(), missed: z.int() })

/** What was kept and missed in a queue, or by an attendant; id 0 for none, an empty name for what was deleted. */
export const TargetsPart = z.object({
  id: z.int(),
  name: z.string(),
  firstReply: Count,
  reply: Count,
  resolution: Count,
})
export type TargetsPart = z.infer<typeof TargetsPart>

/** A target that was missed, with its conversation. */
export const MissedTarget = z.object({
  id: z.int(),
  ticketId: z.int(),
  kind: TargetKind,
  contact: z.string(),
  /** Empty for none, or for what was deleted since. */
  queue: z.string(),
  user: z.string(),
  dueAt: instant.nullable(),
  at: instant,
})
export type MissedTarget = z.infer<typeof MissedTarget>

const Asked = z.object({
  initialDate: moment.or(z.literal('')).optional(),
  finalDate: moment.or(z.literal('')).optional(),
  /** Empty for all. */
  selectedQueueIds: idList.optional(),
  selectedUserIds: idList.optional(),
})

const queueId = z.object({ queueId: id })

export const targets = {
  show: route('GET', '/queue/:queueId/targets', {
    needs: 'session',
    summary:
      'What is promised to customers in a queue: minutes to the first answer, to every answer, to the resolution.',
    params: queueId,
    reply: QueueTargets,
  }),
  change: route('PUT', '/queue/:queueId/targets', {
    needs: 'administration',
    summary:
      'Changes the targets of a queue; what is left out stays, null clears. They count for the tickets in it from then on. ERR_NO_QUEUE_FOUND, also for `moveToQueueId`.',
    params: queueId,
    body: QueueTargetsInput,
    reply: QueueTargets,
  }),
  report: route('GET', '/report/targets/kept', {
    needs: 'administration',
    summary:
      'How often targets were kept and missed in a range, by queue and by attendant: the one who answered or closed, or had the ticket when it became late.',
    query: Asked,
    reply: z.object({ queues: z.array(TargetsPart), users: z.array(TargetsPart) }),
  }),
  missed: route('GET', '/report/targets/missed', {
    needs: 'administration',
    summary: 'Targets that were missed in a range, the newest first.',
    query: Asked.extend({ pageNumber: pageNumber.optional() }),
    reply: page('missed', MissedTarget),
  }),
  export: route('GET', '/report/targets/export', {
    needs: 'administration',
    summary:
      'The same two figures and all that was missed as a spreadsheet, by a link that is good for a day.',
    limit: { counts: 'calls', caller: 10 },
    query: Asked.extend({ language: localeTag.optional(), what: oneOf(['parts', 'missed']).optional() }),
    reply: z.object({ url: z.string() }),
  }),
}

/** To admins and to the attendant of the ticket: it became late. */
export const targetMissedChannel = channel('targetMissed-{companyId}', MissedTarget)
