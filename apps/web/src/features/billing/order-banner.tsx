import type { Subscription } from '@balcao/contract/billing.ts'
import { Button } from '@mantine/core'
import { IconCalendarEvent } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { shownTime } from '../../platform/time.ts'
import { Banner } from '../../ui/status.tsx'
import { keepPlan } from './billing.api.ts'
import { useBillingText } from './billing.text.ts'

interface Props {
  companyId: number
  order: NonNullable<Subscription['order']>
}

/** A dearer plan that waits until its invoice is paid, and its withdrawal. */
export function OrderBanner({ companyId, order: { planName, recurrence, dueBrl, payBy } }: Props) {
  const t = useBillingText()
  const [busy, setBusy] = useState(false)
  const giveUp = () => {
    setBusy(true)
    return keepPlan(companyId)
      .then(() => notify.done(t('givenUp')), notify.failed)
      .finally(() => setBusy(false))
  }
  const shown = { plan: planName, period: t(recurrence), value: dueBrl, day: shownTime(payBy).format('L') }
  return (
    <Banner
      tone="info"
      icon={<IconCalendarEvent size={16} aria-hidden />}
      action={
        <Button variant="default" size="xs" loading={busy} onClick={() => void giveUp()}>
          {t('giveUp')}
        </Button>
      }
    >
      {t('ordered', shown)}
    </Banner>
  )
}
