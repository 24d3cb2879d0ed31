import { IconAt } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import type { Feature } from '../../platform/features.ts'
import { useUser } from '../../platform/session.tsx'
import { useGoTo } from '../../ui/go-to.ts'
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
  Always,
}

/** What it listens with is not needed for the first screen. */
function Always() {
  const goTo = useGoTo()
  const { volume } = useUser()
  const announced = useEffectEvent(() => ({ volume, goTo }))
  useEffect(() => {
    let stop = () => {}
    let isOver = false
    void import('./mentions.live.ts').then(
      ({ followMentions }) => {
        if (!isOver) stop = followMentions(() => announced())
      },
      error => console.warn('mentions are not followed', error),
    )
    return () => {
      isOver = true
      stop()
    }
  }, [])
  return null
}
