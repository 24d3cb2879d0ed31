import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfSchedules: Carried[] = [
  carried('schedules', {
    set: { merge_ids: "'{}'" },
    plain: ['media', 'batch'],
  }),
  carried('schedule_occurrences', {
    refers: { message_id: 'messages', ticket_id: 'tickets' },
  }),
]
