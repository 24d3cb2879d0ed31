import { may } from '@balcao/contract/permissions.rules.ts'
import { features } from '../features.ts'
import type { MenuEntry } from '../platform/features.ts'
import { useUser, useViewer } from '../platform/session.tsx'
import { decided } from './decided.ts'

const first = (path: string) => path.split('/')[1]?.toLowerCase()
const built = new Set(features.flatMap(feature => feature.screens ?? []).map(screen => first(screen.path)))
const entries = features.flatMap(feature => feature.menu ?? []).filter(entry => built.has(first(entry.path)))

/** The entries of the menu that the viewer sees; what the plan lacks is among them. */
export function useMenuEntries(): MenuEntry[] {
  const viewer = useViewer()
  const user = useUser()
  const groups: Partial<Record<NonNullable<MenuEntry['group']>, boolean>> = {
    administration: may(viewer, 'administration'),
    saas: may(viewer, 'master'),
  }
  return entries.filter(
    ({ group = 'work', needs, when }) =>
      (groups[group] ?? true) && (!needs || may(viewer, needs)) && decided(when, user),
  )
}
