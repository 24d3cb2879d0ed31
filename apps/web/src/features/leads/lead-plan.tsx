import { firstOffer } from '@balcao/contract/leads.rules.ts'
import { isPriced, isSoldBy } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { useEffect, useState } from 'react'
import { useAsked } from '../../platform/asked.ts'
import { PlainButton } from '../../ui/plain/button.tsx'
import { findOffers } from './leads.api.ts'
import { useLeadText } from './leads.text.ts'
import { PeriodCards } from './period-cards.tsx'
import { PlanChoice } from './plan-choice.tsx'
import { PlanDetails } from './plan-details.tsx'
import classes from './store.module.css'

export interface PlanChosen {
  /** Null: the requested one does not exist any more. */
  plan: Plan | null
  recurrence: Plan['recurrence']
}

interface Props {
  chosen: PlanChosen
  onChoose(chosen: PlanChosen): void
}

/** The plan of a lead. Another one, or another period, may be chosen; without a plan one has to be chosen. */
export function LeadPlan({ chosen, onChoose }: Props) {
  const t = useLeadText()
  const { plan, recurrence } = chosen
  const [isGone] = useState(plan === null)
  const [isOpen, setOpen] = useState(isGone)
  return (
    <div className={classes.offer}>
      {isGone && <p role="status">{t('goneChoose')}</p>}
      {isOpen && <Choices chosen={chosen} onChoose={onChoose} />}
      {plan && <PlanDetails plan={plan} recurrence={recurrence} />}
      {!isOpen && <PlainButton onClick={() => setOpen(true)}>{t('changeChoice')}</PlainButton>}
    </div>
  )
}

function Choices({ chosen: { plan, recurrence }, onChoose }: Props) {
  const t = useLeadText()
  const { data, error } = useAsked(findOffers)
  // of the offers that are sold by the period of the lead, where there are any
  const first = data && (firstOffer(data.filter(offer => isSoldBy(offer, recurrence))) ?? firstOffer(data))
  useEffect(() => {
    if (!plan && first) onChoose({ plan: first, recurrence })
  }, [plan, first, recurrence, onChoose])
  if (error || data?.length === 0) return <p>{t(error ? 'failed' : 'noPlans')}</p>
  if (!data || !plan) return null
  return (
    <>
      <PlanChoice
        plans={data}
        chosen={plan}
        recurrence={recurrence}
        onChoose={other => onChoose({ plan: other, recurrence })}
      />
      {isPriced(plan) && (
        <PeriodCards
          plan={plan}
          chosen={recurrence}
          onChoose={other => onChoose({ plan, recurrence: other })}
        />
      )}
    </>
  )
}
