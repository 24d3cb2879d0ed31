import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfReports: Carried[] = [
  carried('ticket_services', {
    after: ['ticket_history'],
    refers: { history_id: 'ticket_history', user_id: 'users', queue_id: 'queues', whatsapp_id: 'whatsapps' },
  }),
  carried('ticket_segments', {
    refers: { user_id: 'users', queue_id: 'queues' },
  }),
  carried('bot_spells', {
    set: { ended_at: 'coalesce(r.ended_at, now())' },
  }),
  carried('report_mails', {
    refers: { user_ids: 'users', queue_ids: 'queues' },
    set: { end_key: 'null' },
  }),
  carried('report_days_kept', {
    after: ['ticket_services', 'ticket_tags'],
  }),
  carried('report_days', {
    refers: { tag_id: 'tags', user_id: 'users', queue_id: 'queues', whatsapp_id: 'whatsapps' },
  }),
]
