import type { Branding } from '@balcao/contract/companies.ts'
import { IconUsers } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { queryClient } from '../../platform/query.ts'
import { soon } from '../../ui/soon.tsx'
import { useChatMenuText } from './chat.menu.text.ts'

export const chat: Feature = {
  screens: [
    { path: '/chat/:roomId?', access: 'private', needs: 'chat', load: () => import('./chat-screen.tsx') },
  ],
  menu: [
    {
      path: '/chat',
      label: () => useChatMenuText.read('chat'),
      icon: IconUsers,
      needs: 'chat',
      Mark: soon(() => import('./chat-mark.tsx')),
      // INTERNAL_CHAT of the installation
      when: () => queryClient.getQueryData<Branding>(['branding'])?.internalChatFlag === true,
    },
  ],
  Always: soon(() => import('./chat-always.tsx')),
}
