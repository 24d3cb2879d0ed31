import { IconChartPie, IconReport } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { useReportMenuText } from './reports.menu.text.ts'

/** The entry of the dashboard is for admins; the screen is for whose group has it (OP-15). */
export const reports: Feature = {
  screens: [
    { path: '/reportMail', access: 'anyone', load: () => import('./end-mail-screen.tsx') },
    { path: '/dash', access: 'private', needs: 'dashboard', load: () => import('./dash-screen.tsx') },
    {
      path: '/reports',
      access: 'private',
      needs: 'administration',
      load: () => import('./reports-screen.tsx'),
    },
  ],
  menu: [
    {
      path: '/dash',
      label: () => useReportMenuText.read('dash'),
      icon: IconChartPie,
      group: 'company',
      needs: 'dashboard',
      when: ({ profile, master, company }) =>
        company.enableDashboard && (profile === 'admin' || master === 1),
    },
    {
      path: '/reports',
      label: () => useReportMenuText.read('reports'),
      icon: IconReport,
      group: 'administration',
      when: user => user.company.enableReports,
    },
  ],
}
