import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { newId } from '../../platform/ids.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { chosenReduction, noReduction } from '../coupons/coupons.shapes.ts'
import { ReductionFields } from '../coupons/reduction-fields.tsx'
import { giveDiscount } from './pricing.api.ts'
import { DiscountForm } from './pricing.shapes.ts'
import { usePricingText } from './pricing.text.ts'

/** Reduces the price of the next periods of a company. */
export function DiscountDialog({ companyId, onClose }: { companyId: number; onClose(): void }) {
  const t = usePricingText()
  const [requestId] = useState(newId)
  return (
    <Dialog title={t('discount')} onClose={onClose}>
      <RowForm
        schema={DiscountForm}
        initialValues={{ ...noReduction, reason: '' }}
        confirm={t('discount')}
        done={t('discounted')}
        save={values => giveDiscount(companyId, { ...chosenReduction(values), requestId })}
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">{t('discountHint')}</Text>
            <ReductionFields form={form} />
            <TextInput required label={t('reason')} maxLength={200} {...form.getInputProps('reason')} />
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
