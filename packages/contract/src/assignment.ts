import { z } from 'zod'
import { channel, countOrNone, flag, id, route } from './kit.ts'

/** By hand, in turn, or to who has the fewest open tickets. */
export const AssignmentMode = z.enum(['manual', 'rotation', 'least'])
export type AssignmentMode = z.infer<typeof AssignmentMode>

/** Why tickets of a queue wait that would be given to somebody: no attendant is available, all have as many as they may, it is closed. */
export const WaitingReason = z.enum(['nobodyAvailable', 'allFull', 'outsideHours'])
export type WaitingReason = z.infer<typeof WaitingReason>

/** Who gets the next ticket of a queue. */
export const Assignment = z.object({
  queueId: z.int(),
  mode: AssignmentMode,
  /** How many open tickets an attendant has at most when one is given; null for any number. */
  capacity: z.int().nullable(),
  /** Who attended the contact last, within so many days, gets it first; null: this does not count. */
  stickyDays: z.int().nullable(),
  /** The owner of the contact gets it before all others. */
  ownerFirst: z.boolean(),
  /** Nothing is given outside the hours of the queue. */
  onlyWithinHours: z.boolean(),
  /** After so many minutes of a pause or absence, open tickets whose customer waits return to the queue; null for never. */
  returnAfterMinutes: z.int().nullable(),
  waitingReason: WaitingReason.nullable(),
})
export type Assignment = z.infer<typeof Assignment>

/** What a queue has until it is changed. */
export const BY_HAND = {
  mode: 'manual',
  capacity: null,
  stickyDays: null,
  ownerFirst: false,
  onlyWithinHours: false,
  returnAfterMinutes: null,
  waitingReason: null,
} as const satisfies Omit<Assignment, 'queueId'>

export const MOST_OPEN = 1_000
export const MOST_STICKY_DAYS = 3_650
export const MOST_MINUTES = 10_080

const atLeastOne = (most: number) =>
  countOrNone(most)
    .refine(count => count !== 0, { message: 'At least 1' })
    .optional()

export const AssignmentInput = z.object({
  mode: AssignmentMode.optional(),
  capacity: atLeastOne(MOST_OPEN),
  /** 0 is none. */
  stickyDays: countOrNone(MOST_STICKY_DAYS)
    .transform(days => days || null)
    .optional(),
  ownerFirst: flag.optional(),
  onlyWithinHours: flag.optional(),
  returnAfterMinutes: atLeastOne(MOST_MINUTES),
})
export type AssignmentInput = z.output<typeof AssignmentInput>

/** How a queue gives its tickets, and why they wait. */
export const QueueWaiting = Assignment.pick({ queueId: true, mode: true, waitingReason: true })
export type QueueWaiting = z.infer<typeof QueueWaiting>

const queueId = z.object({ queueId: id })

export const assignment = {
  list: route('GET', '/assignments', {
    needs: 'session',
    summary: 'Queues whose tickets are given to attendants by the server, and why some wait.',
    reply: z.object({ assignments: z.array(QueueWaiting) }),
  }),
  show: route('GET', '/queue/:queueId/assignment', {
    needs: 'session',
    summary: 'Who gets the next ticket of a queue.',
    params: queueId,
    reply: Assignment,
  }),
  change: route('PUT', '/queue/:queueId/assignment', {
    edits: '/queue/:queueId/assignment',
    needs: 'administration',
    summary:
      'Sets who gets the next ticket of a queue: by hand, in turn (`rotation`), or who has the fewest open (`least`). Only available members of the queue below their capacity get tickets; the owner of the contact and who attended it last come first where they can. What no attendant can take waits, and `waitingReason` says why.',
    params: queueId,
    body: AssignmentInput,
    reply: Assignment,
  }),
}

export const assignmentChannel = channel('assignment-{companyId}', QueueWaiting)
