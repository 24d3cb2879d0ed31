import { BotLogic } from '@balcao/contract/bots.logic.ts'
import { type Carried, carried, type IdOf } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfBots: Carried[] = [
  carried('bot_setups', {
    refers: { transfer_queue_id: 'queues', bot_config_id: 'bot_configs' },
  }),
  carried('bot_commands', {
    refers: {
      ...{ user_id: 'users', queue_id: 'queues', flow_id: 'flows', bot_config_id: 'bot_configs' },
      ...{ tag_ids: 'tags', category_ids: 'categories' },
    },
    inside: { logic: idsOfLogic },
    plain: ['media'],
  }),
]

/** Tags and categories of its conditions. */
function idsOfLogic(given: unknown, idOf: IdOf): BotLogic {
  const logic = BotLogic.parse(given)
  const conditions = logic.conditions.map(one => {
    if (one.kind === 'tag') return { ...one, id: idOf('tags', one.id) }
    return one.kind === 'category' ? { ...one, id: idOf('categories', one.id) } : one
  })
  return { ...logic, conditions }
}
