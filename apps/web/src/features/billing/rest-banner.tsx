import type { Subscription } from '@balcao/contract/billing.ts'
import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useMay } from '../../platform/session.tsx'
import { shownTime } from '../../platform/time.ts'
import { Banner } from '../../ui/status.tsx'
import { takeUpPlan } from './billing.api.ts'
import { useBillingText } from './billing.text.ts'

/** Nothing was paid of the last periods, and billing stopped: a master takes the company up again. */
export function UnpaidBanner({ subscription: { companyId, unpaidSince } }: { subscription: Subscription }) {
  const t = useBillingText()
  const isMaster = useMay('master')
  return (
    <Stopped companyId={companyId} action={isMaster ? t('billAgain') : null} done={t('billedAgain')}>
      {t('unpaid', { day: shownTime(unpaidSince!).format('L') })}
    </Stopped>
  )
}

/** After a trial that let the company rest: its plan is taken up, or another one is chosen. */
export function RestBanner({ subscription: { companyId, isAutomatic } }: { subscription: Subscription }) {
  const t = useBillingText()
  return (
    <Stopped companyId={companyId} action={isAutomatic ? t('takeUp') : null} done={t('takenUp')}>
      {t('rests')}
    </Stopped>
  )
}

interface Props {
  companyId: number
  /** The button that begins billing; null: it is for others. */
  action: string | null
  done: string
  children: ReactNode
}

function Stopped({ companyId, action, done, children }: Props) {
  const [busy, setBusy] = useState(false)
  const begin = () => {
    setBusy(true)
    return takeUpPlan(companyId)
      .then(() => notify.done(done), notify.failed)
      .finally(() => setBusy(false))
  }
  return (
    <Banner
      tone="warning"
      icon={<IconLock size={16} aria-hidden />}
      action={
        action && (
          <Button size="xs" loading={busy} onClick={() => void begin()}>
            {action}
          </Button>
        )
      }
    >
      {children}
    </Banner>
  )
}
