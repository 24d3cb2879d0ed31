import { IconApi } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { usePublicApiMenuText } from './publicApi.menu.text.ts'

const load = () => import('./public-api-screen.tsx')

/** The same description at each of its addresses (OP-13). */
export const publicApi: Feature = {
  screens: [
    { path: '/api', access: 'private', load },
    { path: '/api_old', access: 'private', load },
    { path: '/ApiDocumentation', access: 'private', load },
  ],
  menu: [
    {
      path: '/api',
      also: ['/apisendmessage', '/webhooks'],
      label: () => usePublicApiMenuText.read('api'),
      icon: IconApi,
      group: 'administration',
    },
  ],
}
