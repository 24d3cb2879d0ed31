import { useState } from 'react'
import { useUser } from '../platform/session.tsx'
import { visiting } from '../platform/visit.ts'
import { Boundary } from '../ui/boundary.tsx'
import { OfflineBanner } from '../ui/offline-banner.tsx'
import { soon } from '../ui/soon.tsx'
import classes from './account-banner.module.css'
import { useBranding } from './branding.ts'

const AccountNotice = soon(() => import('./account-notice.tsx'))
const VisitBanner = soon(() => import('./visit-banner.tsx'))

/**
 * What the company owes, as long as it blocks the company or is about to. It has a row of its own and covers
 * nothing.
 */
export function AccountBanner({ line }: { line: boolean }) {
  const { suspended, payBy, limitsBy, servicePause } = useUser().company
  const { drill } = useBranding()
  const concerns = Boolean(suspended || payBy || limitsBy || servicePause)
  // it stays, so that it reports when the service is restored
  const [isThere, setThere] = useState(concerns)
  if (concerns && !isThere) setThere(true)
  return (
    <div role="status" className={classes.place}>
      {line && <OfflineBanner />}
      <Boundary instead={null}>
        {(drill || visiting.now()) && <VisitBanner />}
        {isThere && <AccountNotice />}
      </Boundary>
    </div>
  )
}
