import { IconBolt } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followQuickAnswers } from './quickAnswers.live.ts'
import { useQuickAnswerMenuText } from './quickAnswers.menu.text.ts'

export const quickAnswers: Feature = {
  screens: [
    { path: '/quickAnswers/:id?', access: 'private', load: () => import('./quick-answers-screen.tsx') },
  ],
  menu: [{ path: '/quickAnswers', label: () => useQuickAnswerMenuText.read('quickAnswers'), icon: IconBolt }],
  live: followQuickAnswers,
}
