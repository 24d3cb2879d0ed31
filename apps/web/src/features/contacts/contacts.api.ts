import { contacts } from '@balcao/contract/contacts.ts'
import { pagedList } from '../../platform/lists.ts'

export const contactList = pagedList(contacts.list, 'contacts')
