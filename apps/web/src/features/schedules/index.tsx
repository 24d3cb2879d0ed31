import { IconCalendarTime } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followSchedules } from './schedules.live.ts'
import { useScheduleMenuText } from './schedules.menu.text.ts'

export const schedules: Feature = {
  screens: [{ path: '/schedules/:id?', access: 'private', load: () => import('./schedules-screen.tsx') }],
  menu: [{ path: '/schedules', label: () => useScheduleMenuText.read('schedules'), icon: IconCalendarTime }],
  live: followSchedules,
}
