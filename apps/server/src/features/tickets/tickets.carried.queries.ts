import { type Carried, carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfTickets: Carried[] = [
  carried('tickets', {
    // counted by the triggers of messages; what a bot has of a conversation stays behind
    set: {
      ...{ failed_messages: '0', with_bot: 'false', replies_until: 'null' },
      ...{ targets: 'null', target_due_at: 'null', target_turn_at: 'null' },
    },
    refers: { last_message_id: 'messages' },
    plain: ['uuid'],
  }),
  carried('ticket_history', {
    refers: {
      ...{ by_user_id: 'users', from_user_id: 'users', to_user_id: 'users' },
      ...{ from_queue_id: 'queues', to_queue_id: 'queues' },
      reason_id: 'closing_reasons',
    },
  }),
  leftBehind('merged_tickets', 'a merge can be undone for hours only'),
]
