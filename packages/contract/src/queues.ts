import { z } from 'zod'
import { PlaceHours, PlaceHoursInput } from './businessHours.ts'
import { hexOf } from './colors.ts'
import { channel, EvenIfUsed, id, route, text } from './kit.ts'

/** Shown where a queue has no colour of its own. */
export const UNSET_QUEUE_COLOR = '#7C7C7C'

/** A queue as others show it. */
export const QueueTexts = z.object({
  id: z.int(),
  name: z.string(),
  color: z.string(),
  greetingMessage: z.string(),
  /** Sent to who writes outside the queue's hours, instead of the connection's; empty for that one. */
  outOfHoursMessage: z.string(),
})

export const Queue = QueueTexts.extend(PlaceHours.shape)
export type Queue = z.infer<typeof Queue>

export const QueueInput = z.object({
  name: text(2, 50),
  color: text(3, 9).refine(color => hexOf(color) !== null, 'A colour such as #1273de or red'),
  greetingMessage: z.string().max(4000, 'Too Long!').nullable().optional(),
  outOfHoursMessage: z.string().max(4000, 'Too Long!').nullable().optional(),
  ...PlaceHoursInput.shape,
})

const queueId = z.object({ queueId: id })

export const queues = {
  list: route('GET', '/queue', {
    needs: 'session',
    summary: 'Queues of the company by name.',
    reply: z.array(Queue),
  }),
  show: route('GET', '/queue/:queueId', {
    needs: 'session',
    summary: 'One queue.',
    params: queueId,
    reply: Queue,
  }),
  create: route('POST', '/queue', {
    needs: 'administration',
    summary: 'Adds a queue; name and colour are unique in the company.',
    body: QueueInput,
    reply: Queue,
  }),
  change: route('PUT', '/queue/:queueId', {
    edits: '/queue/:queueId',
    needs: 'administration',
    summary: 'Changes a queue.',
    params: queueId,
    body: QueueInput.partial(),
    reply: Queue,
  }),
  remove: route('DELETE', '/queue/:queueId', {
    needs: 'administration',
    summary:
      'Removes a queue; its tickets stay, without a queue (OP-70). ERR_USED_BY_BOTS with their names where bots use it, unless `evenIfUsed`.',
    params: queueId,
    query: EvenIfUsed,
  }),
}

export const queueChannel = channel(
  'queue-{companyId}',
  z.discriminatedUnion('action', [
    z.object({ action: z.enum(['create', 'update']), queue: Queue }),
    z.object({ action: z.literal('delete'), queueId: z.int() }),
  ]),
)
