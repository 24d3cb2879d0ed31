import { MOST_INVOICES_AT_ONCE, type Subscription } from '@balcao/contract/billing.ts'
import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { shownTime } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { changeDays, startOf } from './billing.api.ts'
import { BilledFromInput } from './billing.shapes.ts'
import { useBillingText } from './billing.text.ts'

interface Props {
  subscription: Subscription
  onClose(): void
}

/** From when on a company is billed: what that makes at once is shown, and many invoices are confirmed by their number. */
export function BilledFromDialog({ subscription: { companyId, billedFrom }, onClose }: Props) {
  const t = useBillingText()
  return (
    <Dialog title={t('billedFrom')} onClose={onClose}>
      <RowForm
        schema={BilledFromInput}
        initialValues={{ billedFrom: billedFrom ?? '', invoices: '' }}
        confirm={t('saveFrom')}
        done={t('fromSaved')}
        save={({ billedFrom, invoices }) =>
          changeDays(companyId, { billedFrom, ...(invoices !== '' && { invoices: Number(invoices) }) })
        }
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">{t('billedFromHint')}</Text>
            <TextInput
              data-autofocus
              type="date"
              label={t('billedFromDay')}
              {...form.getInputProps('billedFrom')}
            />
            <Made companyId={companyId} billedFrom={form.getValues().billedFrom}>
              <TextInput label={t('startMany')} inputMode="numeric" {...form.getInputProps('invoices')} />
            </Made>
          </>
        )}
      </RowForm>
    </Dialog>
  )
}

/** What the day makes at once; `children` where that is to be confirmed. */
function Made({
  companyId,
  billedFrom,
  children,
}: {
  companyId: number
  billedFrom: string
  children: ReactNode
}) {
  const t = useBillingText()
  const { data } = useQuery(startOf(companyId, billedFrom))
  if (!data) return null
  const { count, valueBrl: value, from, until } = data
  const shown = (day: string | null) => (day === null ? '' : shownTime(day).format('L'))
  return (
    <>
      <Text size="sm" role="status">
        {count === 0
          ? t('startMakesNone')
          : t('startMakes', { count, value, from: shown(from), until: shown(until) })}
      </Text>
      {count > MOST_INVOICES_AT_ONCE && children}
    </>
  )
}
