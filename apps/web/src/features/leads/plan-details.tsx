import { pricesOf } from '@balcao/contract/leads.rules.ts'
import { isPriced, soldBy } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { IconCheck } from '@tabler/icons-react'
import { FirstInvoice } from './first-invoice.tsx'
import { useLeadText } from './leads.text.ts'
import classes from './store.module.css'

const parts = [
  ...(['enableBots', 'enableFlows', 'enableCampaigns', 'enableSchedules'] as const),
  ...(['enableReports', 'enableDashboard', 'iaIntegrationEnabled', 'enableApi'] as const),
]

interface Props {
  plan: Plan
  /** The period that was chosen, where none is to be chosen any more. */
  recurrence?: Plan['recurrence']
}

/** A plan with its limits and features. */
export function PlanDetails({ plan, recurrence }: Props) {
  const t = useLeadText()
  const price = pricesOf(plan).find(one => recurrence && one.recurrence === soldBy(plan, recurrence))
  const has = [
    t('attendants', { count: plan.numberAttendants }),
    t('connections', { count: plan.numberConnections }),
    ...parts.filter(part => plan[part]).map(part => t(part)),
  ]
  return (
    <section className={classes.plan} aria-label={t('plan')}>
      <h2 className={classes.planName}>{plan.name}</h2>
      {plan.slogan && <p className={classes.slogan}>{plan.slogan}</p>}
      {plan.description && <p className={classes.description}>{plan.description}</p>}
      <ul className={classes.parts}>
        {has.map(part => (
          <li key={part}>
            <IconCheck size={16} stroke={2.25} aria-hidden />
            {part}
          </li>
        ))}
      </ul>
      {!isPriced(plan) && <p className={classes.chosen}>{t('free')}</p>}
      {price && recurrence && isPriced(plan) && (
        <p className={classes.chosen}>
          <span className={classes.strong}>{t('months', { count: price.months })}</span>
          {' · '}
          {t('monthly', { value: price.monthly })}
          <br />
          <span className={classes.quiet}>
            <FirstInvoice plan={plan} recurrence={recurrence} />
          </span>
        </p>
      )}
    </section>
  )
}
