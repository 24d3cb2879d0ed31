import { IconTags } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followTags } from './tags.live.ts'
import { useTagMenuText } from './tags.menu.text.ts'

export const tags: Feature = {
  screens: [{ path: '/tags/:id?', access: 'private', load: () => import('./tags-screen.tsx') }],
  menu: [
    { path: '/tags', label: () => useTagMenuText.read('tags'), icon: IconTags, group: 'administration' },
  ],
  live: followTags,
}
