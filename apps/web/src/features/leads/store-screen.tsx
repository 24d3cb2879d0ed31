import { firstOffer, TRIAL_DAYS } from '@balcao/contract/leads.rules.ts'
import type { Places } from '@balcao/contract/pages.rules.ts'
import { isPriced, soldBy } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { useState } from 'react'
import { useBrandOutside } from '../../outside/brand.ts'
import { useAsked } from '../../platform/asked.ts'
import { Loading } from '../../shell/loading.tsx'
import { FirstInvoice } from './first-invoice.tsx'
import { FormResult } from './form-result.tsx'
import { LeadForm } from './lead-form.tsx'
import { findOffers } from './leads.api.ts'
import { useLeadText } from './leads.text.ts'
import { useLeave } from './leave.ts'
import { PeriodCards } from './period-cards.tsx'
import { PlanChoice } from './plan-choice.tsx'
import { PlanDetails } from './plan-details.tsx'
import classes from './store.module.css'
import { StorePage } from './store-page.tsx'

/** How long the result is shown before the store redirects (ms). */
const LEAVE_MS = 2_000

/** The public store: plans, periods, and the lead form. */
export default function StoreScreen({ places }: { places: Places }) {
  const t = useLeadText()
  const { data, error } = useAsked(findOffers)
  if (!data && !error) return <Loading />
  const [first] = data ?? []
  return (
    <StorePage title={t('title')} hint={t('trial', { days: TRIAL_DAYS })}>
      {first ? <Offers plans={data!} planId={places.planId} /> : <p>{t(data ? 'noPlans' : 'failed')}</p>}
    </StorePage>
  )
}

function Offers({ plans, planId }: { plans: Plan[]; planId: string | undefined }) {
  const t = useLeadText()
  const { marketingUrl } = useBrandOutside()
  const wanted = plans.find(({ id }) => String(id) === planId)
  const [chosen, choose] = useState<Plan>()
  const [recurrence, setRecurrence] = useState<Plan['recurrence']>('months3')
  const [isMailed, setMailed] = useState(false)
  useLeave(isMailed, marketingUrl, LEAVE_MS)
  const plan = wanted ?? chosen ?? firstOffer(plans)!
  if (isMailed) return <FormResult word={t('mailed')} hint={t('mailedHint')} />
  return (
    <div className={classes.sides}>
      <div className={classes.offer}>
        {planId && !wanted && <p role="status">{t('notOffered')}</p>}
        {!wanted && plans.length > 1 && (
          <PlanChoice plans={plans} chosen={plan} recurrence={recurrence} onChoose={choose} />
        )}
        <PlanDetails plan={plan} />
        {wanted && plans.length > 1 && (
          <a className={classes.others} href="/store">
            {t('otherPlans')}
          </a>
        )}
        {isPriced(plan) && (
          <>
            <PeriodCards plan={plan} chosen={recurrence} onChoose={setRecurrence} />
            <p className={classes.quiet}>
              <FirstInvoice plan={plan} recurrence={recurrence} />
            </p>
          </>
        )}
      </div>
      <LeadForm
        planId={plan.id}
        recurrence={soldBy(plan, recurrence)}
        onTaken={id => (id ? location.assign(`/subscription/${id}`) : setMailed(true))}
      />
    </div>
  )
}
