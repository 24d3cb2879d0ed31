import { Group, TextInput } from '@mantine/core'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { addCoupon } from './coupons.api.ts'
import { CouponForm, couponOf, noReduction } from './coupons.shapes.ts'
import { useCouponText } from './coupons.text.ts'
import { ReductionFields } from './reduction-fields.tsx'

/** Adds a code with which who signs up gets a discount. */
export function CouponDialog({ onClose }: { onClose(): void }) {
  const t = useCouponText()
  return (
    <Dialog title={t('addCoupon')} onClose={onClose}>
      <RowForm
        schema={CouponForm}
        initialValues={{ ...noReduction, code: '', mostUses: '', endsOn: '' }}
        confirm={t('addCoupon')}
        done={t('couponAdded')}
        save={values => addCoupon(couponOf(values))}
        onClose={onClose}
      >
        {form => (
          <>
            <TextInput
              data-autofocus
              required
              label={t('code')}
              maxLength={30}
              {...form.getInputProps('code')}
            />
            <ReductionFields form={form} />
            <Group gap={12} grow align="flex-start">
              <TextInput
                label={t('mostUses')}
                placeholder={t('emptyForNone')}
                inputMode="numeric"
                maxLength={7}
                {...form.getInputProps('mostUses')}
              />
              <TextInput type="date" label={t('endsOn')} {...form.getInputProps('endsOn')} />
            </Group>
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
