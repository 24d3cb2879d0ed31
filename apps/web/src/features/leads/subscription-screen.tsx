import { LEAD_DAYS, type OpenLead } from '@balcao/contract/leads.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { ApiError } from '../../platform/call.ts'
import { clock } from '../../platform/time.ts'
import { useBranding } from '../../shell/branding.ts'
import { Loading } from '../../shell/loading.tsx'
import { openLead } from './leads.api.ts'
import { useLeadText } from './leads.text.ts'
import { useLeave } from './leave.ts'
import { Said } from './said.tsx'
import { StorePage } from './store-page.tsx'
import { SubscriptionForm } from './subscription-form.tsx'

/** How long what was said is read before the page leads on (ms). */
const LEAVE_MS = 3_500

/** Where the letter of a lead leads: what is missing of the company, and it is made. */
export default function SubscriptionScreen() {
  const { leadId = '' } = useParams()
  const { data, error, isPending, refetch } = useQuery({ ...openLead(leadId), enabled: leadId !== '' })
  if (data) return <Complete lead={data} leadId={leadId} />
  if (leadId && isPending) return <Loading />
  return <NotOpen error={error} onAgain={() => void refetch()} />
}

function Complete({ lead, leadId }: { lead: OpenLead; leadId: string }) {
  const t = useLeadText()
  const { productUrl } = useBranding()
  const [trialEnd, setTrialEnd] = useState<string | null>(null)
  useLeave(trialEnd !== null, productUrl, LEAVE_MS)
  const { name, email, asksPassword } = lead
  return (
    <StorePage
      title={t('completeTitle')}
      hint={t(asksPassword ? 'completeHere' : 'completeHint', { name, email })}
    >
      {trialEnd ? (
        <Said
          word={t(asksPassword ? 'doneHere' : 'done', { email })}
          hint={t('doneHint', { day: clock(trialEnd).format('L') })}
        />
      ) : (
        <SubscriptionForm lead={lead} leadId={leadId} onDone={setTrialEnd} />
      )}
    </StorePage>
  )
}

/** Why there is nothing to complete. */
function NotOpen({ error, onAgain }: { error: Error | null; onAgain(): void }) {
  const t = useLeadText()
  const code = error instanceof ApiError ? error.code : ''
  if (code === 'ERR_LEAD_COMPLETED')
    return (
      <StorePage title={t('completed')} hint={t('completedHint')}>
        <Button component={Link} to="/login">
          {t('toLogin')}
        </Button>
      </StorePage>
    )
  const isOver = !error || code === 'ERR_NO_LEAD_FOUND' || code === 'ERR_BAD_REQUEST'
  return (
    <StorePage title={t(isOver ? 'over' : 'away')} hint={isOver ? t('overHint', { days: LEAD_DAYS }) : ''}>
      {isOver ? (
        <Button component={Link} to="/store">
          {t('toStore')}
        </Button>
      ) : (
        <Button onClick={onAgain}>{t('again')}</Button>
      )}
    </StorePage>
  )
}
