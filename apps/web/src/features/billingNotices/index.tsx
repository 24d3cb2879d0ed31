import { IconMailCog } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { useNoticeMenuText } from './billingNotices.menu.text.ts'

export const billingNotices: Feature = {
  screens: [
    {
      path: '/notificationTemplateList',
      access: 'private',
      needs: 'master',
      load: () => import('./templates-screen.tsx'),
    },
    {
      path: '/notificationTemplateManager/:templatesNotificationId?',
      access: 'private',
      needs: 'master',
      load: () => import('./template-screen.tsx'),
    },
    {
      path: '/n/:notificationPlatform/:notificationId',
      access: 'outside',
    },
  ],
  menu: [
    {
      path: '/notificationTemplateList',
      label: () => useNoticeMenuText.read('templates'),
      icon: IconMailCog,
      group: 'saas',
      needs: 'master',
    },
  ],
}
