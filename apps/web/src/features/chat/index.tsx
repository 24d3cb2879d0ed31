import { IconUsers } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { useChatMenuText } from './chat.menu.text.ts'

export const chat: Feature = {
  screens: [
    { path: '/chat/:roomId?', access: 'private', needs: 'chat', load: () => import('./chat-screen.tsx') },
  ],
  menu: [{ path: '/chat', label: () => useChatMenuText.read('chat'), icon: IconUsers, needs: 'chat' }],
}
