import { IconAt } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { soon } from '../../ui/soon.tsx'
import { useMentionMenuText } from './mentions.menu.text.ts'

export const mentions: Feature = {
  screens: [{ path: '/mentions', access: 'private', load: () => import('./mentions-screen.tsx') }],
  menu: [
    {
      path: '/mentions',
      label: () => useMentionMenuText.read('mentions'),
      icon: IconAt,
      Mark: soon(() => import('./mention-mark.tsx')),
    },
  ],
  // what it listens with is not needed for the first screen
  Always: soon(() => import('./mentions-always.tsx')),
}
