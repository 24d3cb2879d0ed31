import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfBotConfigs: Carried[] = [
  carried('bot_configs', {
    refers: { last_queue_id: 'queues' },
    plain: ['initial_messages'],
  }),
  carried('gpt_answers', {
    refers: { ticket_id: 'tickets' },
  }),
]
