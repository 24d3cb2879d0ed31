import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfSurveys: Carried[] = [
  carried('survey_settings', { refers: { queue_ids: 'queues' }, plain: ['words'] }),
  carried('surveys', {
    // no contact is asked again from another number
    set: { due_at: 'null' },
    refers: { whatsapp_id: 'whatsapps', user_id: 'users', queue_id: 'queues', message_id: 'messages' },
    plain: ['words'],
  }),
]
