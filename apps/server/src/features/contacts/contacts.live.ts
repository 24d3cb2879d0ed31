import { contactChannel } from '@balcao/contract/contacts.ts'
import { announce, everyone } from '../../platform/live.ts'
import { contactChanged, contactRemoved } from './contacts.events.ts'

export const live = [
  announce(contactChanged, (companyId, { contact, created }, push) =>
    push(contactChannel, everyone(companyId), { action: created ? 'create' : 'update', contact }),
  ),
  announce(contactRemoved, (companyId, { contactId }, push) =>
    push(contactChannel, everyone(companyId), { action: 'delete', contactId }),
  ),
]
