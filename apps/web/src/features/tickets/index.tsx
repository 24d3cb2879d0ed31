import { IconMessages } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { PendingMark } from './pending-mark.tsx'
import { useTicketText } from './tickets.text.ts'
import { TicketsAlways } from './tickets-always.tsx'

export const tickets: Feature = {
  menu: [
    { path: '/tickets', label: () => useTicketText.read('tickets'), icon: IconMessages, Mark: PendingMark },
  ],
  Always: TicketsAlways,
}
