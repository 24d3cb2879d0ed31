import { type OutsidePage, type Places, pageAt } from '@balcao/contract/pages.rules.ts'
import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react'
import { Elsewhere } from '../shell/elsewhere.tsx'
import { Loading } from '../shell/loading.tsx'
import { NotShown } from '../shell/not-shown.tsx'
import { Boundary } from '../ui/boundary.tsx'

type Loaded = { default: ComponentType<{ places: Places }> }

const pages: Record<OutsidePage, ComponentType<{ places: Places }>> = {
  '/store/:planId?': lazy((): Promise<Loaded> => import('../features/leads/store-screen.tsx')),
  '/subscription/:leadId?': lazy((): Promise<Loaded> => import('../features/leads/subscription-screen.tsx')),
  '/n/:notificationPlatform/:notificationId': lazy(
    (): Promise<Loaded> => import('../features/billingNotices/notice-screen.tsx'),
  ),
}

/** The page that the address leads to. What is none of them is the app's, which the server sends. */
export function Pages() {
  const path = useSyncExternalStore(followAddress, () => location.pathname)
  const led = pageAt(path)
  if (!led) return <Elsewhere />
  const Page = pages[led.page]
  return (
    <Boundary key={path} instead={<NotShown />}>
      <Suspense fallback={<Loading />}>
        <Page places={led.places} />
      </Suspense>
    </Boundary>
  )
}

function followAddress(tell: () => void) {
  addEventListener('popstate', tell)
  return () => removeEventListener('popstate', tell)
}
