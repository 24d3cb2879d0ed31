import { IconAt } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import type { Feature } from '../../platform/features.ts'
import { useUser } from '../../platform/session.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { soon } from '../../ui/soon.tsx'
import { followMentions } from './mentions.live.ts'
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

function Always() {
  const goTo = useGoTo()
  const { volume } = useUser()
  const announce = useEffectEvent((...[mention]: Parameters<Parameters<typeof followMentions>[0]>) => {
    void import('./announce.ts')
      .then(({ announceMention }) => announceMention(mention, { volume, goTo }))
      .catch(error => console.warn('a mention was not announced', error))
  })
  useEffect(() => followMentions(mention => announce(mention)), [])
  return null
}
