import { IconStar } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followSurveys } from './surveys.live.ts'
import { useSurveyMenuText } from './surveys.menu.text.ts'

export const surveys: Feature = {
  screens: [
    { path: '/survey', access: 'private', needs: 'reports', load: () => import('./survey-screen.tsx') },
  ],
  menu: [
    {
      path: '/survey',
      label: () => useSurveyMenuText.read('survey'),
      icon: IconStar,
      group: 'administration',
      needs: 'reports',
    },
  ],
  live: followSurveys,
}
