import { contactChannel } from '@balcao/contract/contacts.ts'
import { everyone, publish } from '../../platform/live/live.ts'
import { contactChanged, contactRemoved } from './contacts.events.ts'

export const live = [
  publish(contactChanged, (companyId, { contact, created }, push) =>
    push(contactChannel, everyone(companyId), { action: created ? 'create' : 'update', contact }),
  ),
  publish(contactRemoved, (companyId, { contactId }, push) =>
    push(contactChannel, everyone(companyId), { action: 'delete', contactId }),
  ),
]
