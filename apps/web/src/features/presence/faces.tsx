import { useStore } from '../../platform/store.ts'
import { soon } from '../../ui/soon.tsx'
import { here } from './presence.store.ts'

const DrawnFaces = soon(() => import('./drawn-faces.tsx'))

/** Who looks at a ticket or writes in it; nothing where there is no colleague. */
export function Faces({ of }: { of: number }) {
  const users = useStore(here, all => all.get(of))
  return users ? <DrawnFaces users={users} /> : null
}
