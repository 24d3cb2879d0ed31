import { contactChannel } from '@balcao/contract/contacts.ts'
import { gapChannel } from '@balcao/contract/live.ts'
import { everyone, limited, oneUser, publish, unlimited } from '../../platform/live/live.ts'
import { contactChanged, contactRemoved, ownersChanged } from './contacts.events.ts'

export const live = [
  // who sees only own customers is pushed those; other people of own tickets come with the tickets
  publish(contactChanged, (companyId, { contact, created }, push) => {
    const change = { action: created ? 'create' : 'update', contact } as const
    push(contactChannel, everyone(companyId), change, [limited(companyId)])
    if (contact.ownerId !== null)
      push(contactChannel, oneUser(companyId, contact.ownerId), change, [unlimited(companyId)])
  }),
  publish(ownersChanged, (companyId, { userIds }, push) =>
    push(
      gapChannel,
      userIds.map(id => oneUser(companyId, id)),
      {},
      [unlimited(companyId)],
    ),
  ),
  publish(contactRemoved, (companyId, { contactId }, push) =>
    push(contactChannel, everyone(companyId), { action: 'delete', contactId }),
  ),
]
