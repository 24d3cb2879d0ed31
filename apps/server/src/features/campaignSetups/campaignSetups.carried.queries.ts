import { ButtonsMessage } from '@balcao/contract/campaignSetups.ts'
import { type Carried, carried, type IdOf } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfCampaignSetups: Carried[] = [
  carried('campaign_setups', {
    inside: { json_button_or_list: idsOfButtons },
    plain: ['weekdays', 'handle'],
  }),
]

/** What an answer does. */
function idsOfButtons(given: unknown, idOf: IdOf): ButtonsMessage {
  const offer = ButtonsMessage.parse(given)
  const buttons = offer.buttons.map(({ tagId, categoryId, queueId, flowId, ...button }) => ({
    ...button,
    tagId: tagId && idOf('tags', tagId),
    categoryId: categoryId && idOf('categories', categoryId),
    queueId: queueId && idOf('queues', queueId),
    flowId: flowId && idOf('flows', flowId),
  }))
  return { ...offer, buttons }
}
