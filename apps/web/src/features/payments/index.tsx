import { IconReportMoney } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { soon } from '../../ui/soon.tsx'
import { usePaymentMenuText } from './payments.menu.text.ts'

const ReviewMark = soon(() => import('./review-mark.tsx'))

export const payments: Feature = {
  screens: [
    { path: '/receipts', access: 'private', needs: 'master', load: () => import('./receipts-screen.tsx') },
    {
      path: '/statement/:companyId',
      access: 'private',
      needs: 'payPanel',
      load: () => import('./statement-screen.tsx'),
    },
  ],
  menu: [
    {
      path: '/receipts',
      label: () => usePaymentMenuText.read('receipts'),
      icon: IconReportMoney,
      group: 'saas',
      needs: 'master',
      Mark: ReviewMark,
    },
  ],
}
