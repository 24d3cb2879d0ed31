import type { Subscription } from '@balcao/contract/billing.ts'
import { invoiceChannelOf } from '@balcao/contract/invoices.ts'
import { planChannel } from '@balcao/contract/plans.ts'
import { Button, Group, Stack } from '@mantine/core'
import { IconCalendarEvent } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { whyNot } from '../../platform/errors.text.ts'
import { followList } from '../../platform/lists.ts'
import { notify } from '../../platform/notify.tsx'
import { useMay } from '../../platform/session.tsx'
import { shownTime } from '../../platform/time.ts'
import { FieldSection } from '../../ui/fieldset.tsx'
import { FigureList } from '../../ui/figures.tsx'
import { Late } from '../../ui/late.tsx'
import { Banner } from '../../ui/status.tsx'
import { companyPlan } from '../plans/plans.api.ts'
import { BilledFromDialog } from './billed-from.dialog.tsx'
import { BILLING, companySubscription, keepPlan } from './billing.api.ts'
import { useBillingText } from './billing.text.ts'
import { EndBanner, EndDialog } from './end.dialog.tsx'
import { OrderBanner } from './order-banner.tsx'
import { PauseDialog } from './pause.dialog.tsx'
import { PauseList } from './pause-list.tsx'
import { ProlongDialog } from './prolong.dialog.tsx'
import { RestBanner, UnpaidBanner } from './rest-banner.tsx'

const ChangePlanDialog = lazy(() => import('./change-plan.dialog.tsx'))

/** When and what a company is billed next, and its change of plan; nothing where it has no plan. */
export function SubscriptionSection({ companyId }: { companyId: number }) {
  const { data } = useQuery(companyPlan(companyId))
  const planId = data?.[0]?.id
  return planId ? <Subscribed key={planId} companyId={companyId} planId={planId} /> : null
}

function Subscribed({ companyId, planId }: { companyId: number; planId: number }) {
  const t = useBillingText()
  const { data, isError, error } = useQuery(companySubscription(companyId))
  useEffect(() => followList(invoiceChannelOf(planId), BILLING), [planId])
  useEffect(() => followList({ ...planChannel, name: `plan-${companyId}` }, BILLING), [companyId])
  return (
    <FieldSection legend={t('subscription')}>
      {data ? (
        <Shown subscription={data} />
      ) : (
        <Late>
          <p role="status">{isError && whyNot(error, t('failed'))}</p>
        </Late>
      )}
    </FieldSection>
  )
}

const shown = (day: string) => shownTime(day).format('L')

function Shown({ subscription }: { subscription: Subscription }) {
  const t = useBillingText()
  const isMaster = useMay('master')
  const [open, setOpen] = useState<'change' | 'pause' | 'trial' | 'from' | 'end' | null>(null)
  const close = () => setOpen(null)
  const { companyId, creditBrl, billedThrough, trialEndsOn, isResting, change, order, pauses } = subscription
  return (
    <Stack gap={16}>
      <FigureList
        figures={[
          [t('nextInvoice'), <NextInvoice key="next" subscription={subscription} />],
          [t('credit'), creditBrl],
          [t('through'), billedThrough ? shown(billedThrough) : t('nothing')],
          ...(trialEndsOn ? [[t('trial'), shown(trialEndsOn)] as const] : []),
        ]}
      />
      {isResting && <RestBanner subscription={subscription} />}
      {subscription.unpaidSince && <UnpaidBanner subscription={subscription} />}
      {subscription.endsOn && <EndBanner subscription={subscription} />}
      {change && <WaitingChange companyId={companyId} change={change} />}
      {order && <OrderBanner companyId={companyId} order={order} />}
      {pauses.length > 0 && <PauseList companyId={companyId} pauses={pauses} />}
      <Group gap={8}>
        {!subscription.endsOn && (
          <Button variant="default" onClick={() => setOpen('change')}>
            {t('change')}
          </Button>
        )}
        {isMaster && (
          <>
            <Button variant="default" onClick={() => setOpen('pause')}>
              {t('pause')}
            </Button>
            <Button variant="default" onClick={() => setOpen('from')}>
              {t('billedFrom')}
            </Button>
          </>
        )}
        {isMaster && mayBeTried(subscription) && (
          <Button variant="default" onClick={() => setOpen('trial')}>
            {t('prolong')}
          </Button>
        )}
        {subscription.mayEnd && !subscription.endsOn && (
          <Button variant="default" onClick={() => setOpen('end')}>
            {t('end')}
          </Button>
        )}
      </Group>
      {open === 'change' && (
        <Suspense>
          <ChangePlanDialog companyId={companyId} onClose={close} />
        </Suspense>
      )}
      {open === 'end' && <EndDialog subscription={subscription} onClose={close} />}
      {open === 'trial' && <ProlongDialog companyId={companyId} endsOn={trialEndsOn} onClose={close} />}
      {open === 'pause' && <PauseDialog companyId={companyId} onClose={close} />}
      {open === 'from' && <BilledFromDialog subscription={subscription} onClose={close} />}
    </Stack>
  )
}

/** A trial lasts, or ended without any invoice since. */
const mayBeTried = ({ trialEndsOn, isResting, billedThrough }: Subscription) =>
  trialEndsOn !== null || isResting || billedThrough === null

function NextInvoice({ subscription: { nextInvoice, isAutomatic } }: { subscription: Subscription }) {
  const t = useBillingText()
  if (!nextInvoice) return t(isAutomatic ? 'noNext' : 'notAutomatic')
  const { start, end, issuedOn, valueBrl } = nextInvoice
  return (
    <>
      {t('nextIs', { value: valueBrl, day: shown(issuedOn) })}
      <br />
      <small>{t('period', { from: shown(start), until: shown(end) })}</small>
    </>
  )
}

function WaitingChange({
  companyId,
  change: { from, planName, recurrence },
}: {
  companyId: number
  change: NonNullable<Subscription['change']>
}) {
  const t = useBillingText()
  const [busy, setBusy] = useState(false)
  const withdraw = () => {
    setBusy(true)
    return keepPlan(companyId)
      .then(() => notify.done(t('kept')), notify.failed)
      .finally(() => setBusy(false))
  }
  return (
    <Banner
      tone="info"
      icon={<IconCalendarEvent size={16} aria-hidden />}
      action={
        <Button variant="default" size="xs" loading={busy} onClick={() => void withdraw()}>
          {t('keep')}
        </Button>
      }
    >
      {t('waits', { day: shown(from), plan: planName, period: t(recurrence) })}
    </Banner>
  )
}
