import type { Subscription } from '@balcao/contract/billing.ts'
import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Banner } from '../../ui/status.tsx'
import { takeUpPlan } from './billing.api.ts'
import { useBillingText } from './billing.text.ts'

/** After a trial that let the company rest: its plan is taken up, or another one is chosen. */
export function RestBanner({ subscription: { companyId, isAutomatic } }: { subscription: Subscription }) {
  const t = useBillingText()
  const [busy, setBusy] = useState(false)
  const take = () => {
    setBusy(true)
    return takeUpPlan(companyId)
      .then(() => notify.done(t('takenUp')), notify.failed)
      .finally(() => setBusy(false))
  }
  return (
    <Banner
      tone="warning"
      icon={<IconLock size={16} aria-hidden />}
      action={
        isAutomatic && (
          <Button size="xs" loading={busy} onClick={() => void take()}>
            {t('takeUp')}
          </Button>
        )
      }
    >
      {t('rests')}
    </Banner>
  )
}
