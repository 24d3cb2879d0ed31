import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { Text, TextInput } from '@mantine/core'
import { clock } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { changeDays } from './billing.api.ts'
import { TrialInput } from './billing.shapes.ts'
import { useBillingText } from './billing.text.ts'

const WEEK = 7

/** Gives a trial another end; proposed is a week more. */
export function ProlongDialog({
  companyId,
  endsOn,
  onClose,
}: {
  companyId: number
  endsOn: string | null
  onClose(): void
}) {
  const t = useBillingText()
  const from = endsOn ?? clock().format('YYYY-MM-DD')
  return (
    <Dialog title={t('prolongTitle')} onClose={onClose}>
      <RowForm
        schema={TrialInput}
        initialValues={{ trialEndsOn: daysFrom(from, WEEK) }}
        confirm={t('prolong')}
        done={t('prolonged')}
        save={values => changeDays(companyId, values)}
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">{t('prolongHint')}</Text>
            <TextInput data-autofocus type="date" label={t('trial')} {...form.getInputProps('trialEndsOn')} />
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
