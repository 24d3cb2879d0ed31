import { IconAddressBook } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followContacts } from './contacts.live.ts'
import { useContactMenuText } from './contacts.menu.text.ts'

export const contacts: Feature = {
  screens: [{ path: '/contacts/:p?', access: 'private', load: () => import('./contacts-screen.tsx') }],
  menu: [{ path: '/contacts', label: () => useContactMenuText.read('contacts'), icon: IconAddressBook }],
  live: followContacts,
}
