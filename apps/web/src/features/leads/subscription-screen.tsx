import { LEAD_DAYS, type OpenLead } from '@balcao/contract/leads.ts'
import type { Places } from '@balcao/contract/pages.rules.ts'
import { useState } from 'react'
import { dayOutside, useBrandOutside } from '../../outside/brand.ts'
import { useAsked } from '../../platform/asked.ts'
import { ApiError, token } from '../../platform/call.ts'
import { Loading } from '../../shell/loading.tsx'
import { ButtonLink, PlainButton } from '../../ui/plain/button.tsx'
import { FormResult } from './form-result.tsx'
import { type Completed, findLead } from './leads.api.ts'
import { useLeadText } from './leads.text.ts'
import { useLeave } from './leave.ts'
import { StorePage } from './store-page.tsx'
import { SubscriptionForm } from './subscription-form.tsx'

/** How long the result is shown before the page redirects (ms). */
const LEAVE_MS = 3_500

/** Target of the link in a lead's letter: the missing company data, then the company is created. */
export default function SubscriptionScreen({ places: { leadId } }: { places: Places }) {
  return leadId ? <Lead leadId={leadId} /> : <NotOpen />
}

function Lead({ leadId }: { leadId: string }) {
  const { data, error, again } = useAsked(() => findLead(leadId))
  if (data) return <Complete lead={data} leadId={leadId} />
  return error ? <NotOpen error={error} onAgain={again} /> : <Loading />
}

function Complete({ lead, leadId }: { lead: OpenLead; leadId: string }) {
  const t = useLeadText()
  const { productUrl } = useBrandOutside()
  const [made, setMade] = useState<Completed | null>(null)
  useLeave(made !== null, productUrl, LEAVE_MS)
  function done(completed: Completed) {
    if (completed.token) token.keep(completed.token)
    setMade(completed)
  }
  const { name, email, asksPassword } = lead
  return (
    <StorePage
      title={t('completeTitle')}
      hint={t(asksPassword ? 'completeHere' : 'completeHint', { name, email })}
    >
      {made ? (
        <FormResult
          word={t(asksPassword ? (made.token ? 'doneIn' : 'doneHere') : 'done', { email })}
          hint={`${t('doneHint', { day: dayOutside(made.trialEndsAt) })} ${made.token ? t('opening') : ''}`.trim()}
        />
      ) : (
        <SubscriptionForm lead={lead} leadId={leadId} onDone={done} />
      )}
    </StorePage>
  )
}

/** Why there is nothing to complete. */
function NotOpen({ error, onAgain }: { error?: Error; onAgain?(): void }) {
  const t = useLeadText()
  const code = error instanceof ApiError ? error.code : ''
  if (code === 'ERR_LEAD_COMPLETED')
    return (
      <StorePage title={t('completed')} hint={t('completedHint')}>
        <ButtonLink href="/login">{t('toLogin')}</ButtonLink>
      </StorePage>
    )
  const isOver = !error || code === 'ERR_NO_LEAD_FOUND' || code === 'ERR_BAD_REQUEST'
  return (
    <StorePage title={t(isOver ? 'over' : 'away')} hint={isOver ? t('overHint', { days: LEAD_DAYS }) : ''}>
      {isOver ? (
        <ButtonLink href="/store">{t('toStore')}</ButtonLink>
      ) : (
        <PlainButton onClick={onAgain}>{t('again')}</PlainButton>
      )}
    </StorePage>
  )
}
