import { type OutsidePage, type Places, pageAt } from '@balcao/contract/pages.rules.ts'
import { type ComponentType, useSyncExternalStore } from 'react'
import { Elsewhere } from '../shell/elsewhere.tsx'
import { Loading } from '../shell/loading.tsx'
import { NotShown } from '../shell/not-shown.tsx'
import { Boundary } from '../ui/boundary.tsx'
import { soon } from '../ui/soon.tsx'

type Loaded = { default: ComponentType<{ places: Places }> }

const page = (load: () => Promise<Loaded>) => soon(load, { instead: <Loading />, isLarge: true })
const pages: Record<OutsidePage, ComponentType<{ places: Places }>> = {
  '/store/:planId?': page(() => import('../features/leads/store-screen.tsx')),
  '/subscription/:leadId?': page(() => import('../features/leads/subscription-screen.tsx')),
  '/n/:notificationPlatform/:notificationId': page(
    () => import('../features/billingNotices/notice-screen.tsx'),
  ),
}

/** The page of the address. Unknown ones belong to the app, which the server sends. */
export function Pages() {
  const path = useSyncExternalStore(followAddress, () => location.pathname)
  const led = pageAt(path)
  if (!led) return <Elsewhere />
  const Page = pages[led.page]
  return (
    <Boundary key={path} instead={<NotShown />}>
      <Page places={led.places} />
    </Boundary>
  )
}

function followAddress(listener: () => void) {
  addEventListener('popstate', listener)
  return () => removeEventListener('popstate', listener)
}
