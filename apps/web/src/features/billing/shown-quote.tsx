import type { PlanQuote } from '@balcao/contract/billing.ts'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { errorText } from '../../platform/errors.text.ts'
import { shownTime } from '../../platform/time.ts'
import { FieldGroup } from '../../ui/fieldset.tsx'
import { FigureList } from '../../ui/figures.tsx'
import { Banner } from '../../ui/status.tsx'
import classes from './billing.module.css'
import { useBillingText } from './billing.text.ts'

/** What the chosen plan costs, or why it cannot be chosen; a quote of the previous choice is pale. */
export function ShownQuote({ quote }: { quote: UseQueryResult<PlanQuote> }) {
  const t = useBillingText()
  if (quote.isError) return <p role="alert">{errorText(quote.error)}</p>
  if (!quote.data) return null
  const { from, valueBrl, creditBrl, dueBrl } = quote.data
  return (
    <div className={classes.quote} data-old={quote.isPlaceholderData || undefined} aria-live="polite">
      <FieldGroup legend={t('quote')}>
        <FigureList
          figures={[
            [t('begins'), shownTime(from).format('L')],
            [t('price'), valueBrl],
            [t('quoteCredit'), creditBrl],
            [t('due'), dueBrl],
          ]}
        />
        {quote.data.worksWhenPaid && (
          <Banner tone="info" icon={<IconInfoCircle size={16} aria-hidden />}>
            {t('worksWhenPaid')}
          </Banner>
        )}
        <Over quote={quote.data} />
      </FieldGroup>
    </div>
  )
}

/** Limits of the plan that the company exceeds already. */
function Over({ quote }: { quote: PlanQuote }) {
  const t = useBillingText()
  return (['overAttendants', 'overConnections'] as const).map(what => {
    const over = quote[what]
    return (
      over && (
        <Banner key={what} tone="warning" icon={<IconAlertTriangle size={16} aria-hidden />}>
          {t(what, over)}
        </Banner>
      )
    )
  })
}
