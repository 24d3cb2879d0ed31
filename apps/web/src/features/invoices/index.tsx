import { IconFileInvoice } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { useInvoiceMenuText } from './invoices.menu.text.ts'

export const invoices: Feature = {
  screens: [
    {
      path: '/invoices/:companyId?',
      access: 'private',
      needs: 'master',
      load: () => import('./invoices-screen.tsx'),
    },
  ],
  menu: [
    {
      path: '/invoices',
      label: () => useInvoiceMenuText.read('invoices'),
      icon: IconFileInvoice,
      group: 'saas',
      needs: 'master',
    },
  ],
}
