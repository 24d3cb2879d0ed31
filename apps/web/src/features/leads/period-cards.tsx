import { pricesOf } from '@balcao/contract/leads.rules.ts'
import { soldBy } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { useLeadText } from './leads.text.ts'
import classes from './store.module.css'

interface Props {
  plan: Plan
  chosen: Plan['recurrence']
  onChoose(recurrence: Plan['recurrence']): void
}

/** What the plan costs by each period that it is sold by. */
export function PeriodCards({ plan, chosen, onChoose }: Props) {
  const t = useLeadText()
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t('period')}</legend>
      <div className={classes.periods}>
        {pricesOf(plan).map(({ recurrence, months, monthly, total, discount }) => (
          <label key={recurrence} className={classes.card}>
            <input
              type="radio"
              name="recurrence"
              className={classes.radio}
              checked={recurrence === soldBy(plan, chosen)}
              onChange={() => onChoose(recurrence)}
            />
            <span className={classes.row}>
              <span className={classes.strong}>{t('months', { count: months })}</span>
              {discount > 0 && (
                <span className={classes.saved}>
                  <span aria-hidden>{t('saved', { percent: discount })}</span>
                  <span className={classes.srOnly}>{t('savedWords', { percent: discount })}</span>
                </span>
              )}
            </span>
            <span className={classes.price}>{t('monthly', { value: monthly })}</span>
            <span className={classes.quiet}>{t('total', { value: total })}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
