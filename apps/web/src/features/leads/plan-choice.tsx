import type { Plan } from '@balcao/contract/plans.ts'
import { useLeadText } from './leads.text.ts'
import classes from './store.module.css'

interface Props {
  plans: Plan[]
  chosen: Plan
  onChoose(plan: Plan): void
}

/** All plans, one of which is chosen. */
export function PlanChoice({ plans, chosen, onChoose }: Props) {
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
            <span className={classes.quiet}>{t('monthly', { value: plan.value1MonthBrl })}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
