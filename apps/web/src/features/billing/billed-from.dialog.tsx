import type { Subscription } from '@balcao/contract/billing.ts'
import { Text, TextInput } from '@mantine/core'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { changeDays } from './billing.api.ts'
import { BilledFromInput } from './billing.shapes.ts'
import { useBillingText } from './billing.text.ts'

/** From when on a company is billed. */
export function BilledFromDialog({
  subscription: { companyId, billedFrom },
  onClose,
}: {
  subscription: Subscription
  onClose(): void
}) {
  const t = useBillingText()
  return (
    <Dialog title={t('billedFrom')} onClose={onClose}>
      <RowForm
        schema={BilledFromInput}
        initialValues={{ billedFrom: billedFrom ?? '' }}
        confirm={t('saveFrom')}
        done={t('fromSaved')}
        save={values => changeDays(companyId, values)}
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
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
