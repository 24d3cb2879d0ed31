import { pricesOf } from '@balcao/contract/leads.rules.ts'
import { isPriced, soldBy } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { useLeadText } from './leads.text.ts'
import classes from './store.module.css'

interface Props {
  plans: Plan[]
  chosen: Plan
  recurrence: Plan['recurrence']
  onChoose(plan: Plan): void
}

/** All plans with their prices by the chosen period; one of them is chosen. */
export function PlanChoice({ plans, chosen, recurrence, onChoose }: Props) {
  const t = useLeadText()
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t('plans')}</legend>
      <div className={classes.plans}>
        {plans.map(plan => (
          <label key={plan.id} className={classes.card}>
            <input
              type="radio"
              name="plan"
              className={classes.radio}
              checked={plan.id === chosen.id}
              onChange={() => onChoose(plan)}
            />
            <span className={classes.strong}>{plan.name}</span>
            <span className={classes.quiet}>{priceIn(plan, recurrence, t)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function priceIn(plan: Plan, recurrence: Plan['recurrence'], t: typeof useLeadText.read): string {
  if (!isPriced(plan)) return t('free')
  const sold = soldBy(plan, recurrence)
  return t('monthly', { value: pricesOf(plan).find(one => one.recurrence === sold)!.monthly })
}
