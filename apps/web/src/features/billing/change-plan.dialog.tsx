import { priceOf } from '@balcao/contract/invoices.rules.ts'
import { pricesOf } from '@balcao/contract/leads.rules.ts'
import { isPriced } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { companyPlan, offeredPlans } from '../plans/plans.api.ts'
import { changePlan, quoteOf } from './billing.api.ts'
import { useBillingText } from './billing.text.ts'
import { CardChoices } from './card-choices.tsx'
import { ShownQuote } from './shown-quote.tsx'

/** Chooses another plan or period, shows what it costs, and changes it. */
export default function ChangePlanDialog({ companyId, onClose }: { companyId: number; onClose(): void }) {
  const t = useBillingText()
  const choice = useChoice(companyId)
  const { plan, recurrence, when } = choice
  const asked = plan && { planId: plan.id, recurrence, when }
  const quote = useQuery(quoteOf(companyId, asked))
  const due = quote.isPlaceholderData || quote.isFetching ? undefined : quote.data?.due
  const [busy, setBusy] = useState(false)
  async function confirm() {
    if (!asked || due === undefined) return
    setBusy(true)
    await changePlan(companyId, { ...asked, due }).then(
      () => {
        notify.done(t(quote.data?.worksWhenPaid ? 'orderMade' : when === 'now' ? 'changed' : 'planned'))
        onClose()
      },
      error => {
        notify.failed(error)
        if (error instanceof ApiError && error.code === 'ERR_PRICE_CHANGED') void quote.refetch()
      },
    )
    setBusy(false)
  }
  return (
    <Dialog title={t('change')} onClose={onClose} size={720}>
      <Stack gap={16}>
        <PlanCards choice={choice} />
        {plan && isPriced(plan) && (
          <PeriodChoices plan={plan} chosen={recurrence} onChoose={choice.setRecurrence} />
        )}
        {plan && (
          <Segmented
            label={t('when')}
            value={when}
            options={(['now', 'next'] as const).map(value => ({ value, label: t(value) }))}
            onChange={value => choice.setWhen(value)}
          />
        )}
        {plan && <ShownQuote quote={quote} />}
      </Stack>
      <DialogActions onClose={onClose}>
        <Button
          disabled={!plan || due === undefined || quote.isError}
          loading={busy}
          onClick={() => void confirm()}
        >
          {t('confirm')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type Choice = ReturnType<typeof useChoice>

/** What is chosen: first nothing. A period without a price is none of the plan's. */
function useChoice(companyId: number) {
  const own = useQuery(companyPlan(companyId)).data?.[0]
  const [plan, setPlan] = useState<Plan | null>(null)
  const [wanted, setRecurrence] = useState<Plan['recurrence'] | null>(null)
  const [when, setWhen] = useState<'now' | 'next'>('now')
  const first = wanted ?? own?.recurrence ?? 'month1'
  const recurrence = plan && isPriced(plan) ? (pricedOf(plan, first) ?? first) : 'month1'
  return { plan, setPlan, recurrence, setRecurrence, when, setWhen }
}

const isOffered = (plan: Plan, recurrence: Plan['recurrence']) => priceOf({ ...plan, recurrence }).cents > 0
const offeredPeriods = (plan: Plan) => pricesOf(plan).filter(({ recurrence }) => isOffered(plan, recurrence))

/** The wanted period where the plan has it, else its first one. */
const pricedOf = (plan: Plan, wanted: Plan['recurrence']) =>
  isOffered(plan, wanted) ? wanted : offeredPeriods(plan)[0]?.recurrence

function PlanCards({ choice: { plan: chosen, setPlan } }: { choice: Choice }) {
  const t = useBillingText()
  const { data } = useQuery(offeredPlans)
  if (data?.length === 0) return <p>{t('noneOffered')}</p>
  return (
    <CardChoices
      legend={t('plans')}
      chosen={chosen?.id ?? null}
      options={(data ?? []).map(plan => ({
        value: plan.id,
        title: plan.name,
        children: (
          <>
            <span>{isPriced(plan) ? from(plan, t) : t('free')}</span>
            <small>{t('limits', { users: plan.numberAttendants, lines: plan.numberConnections })}</small>
          </>
        ),
      }))}
      onChoose={id => setPlan(data?.find(plan => plan.id === id) ?? null)}
    />
  )
}

const from = (plan: Plan, t: typeof useBillingText.read) =>
  t('monthly', { value: offeredPeriods(plan)[0]!.monthly })

function PeriodChoices({
  plan,
  chosen,
  onChoose,
}: {
  plan: Plan
  chosen: Plan['recurrence']
  onChoose(recurrence: Plan['recurrence']): void
}) {
  const t = useBillingText()
  return (
    <CardChoices
      legend={t('periods')}
      chosen={chosen}
      options={offeredPeriods(plan).map(({ recurrence, monthly, total, discount }) => ({
        value: recurrence,
        title: t(recurrence),
        children: (
          <>
            <span>{t('monthly', { value: monthly })}</span>
            <small>{t(discount > 0 ? 'totalOff' : 'total', { total, discount })}</small>
          </>
        ),
      }))}
      onChoose={onChoose}
    />
  )
}
