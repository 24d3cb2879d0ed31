import { Group, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useCouponText } from './coupons.text.ts'

/** What a price is reduced by, and for how many periods. */
export function ReductionFields({
  form,
}: {
  form: { getInputProps(name: 'percent' | 'valueBrl' | 'periods'): GetInputPropsReturnType }
}) {
  const t = useCouponText()
  return (
    <Group gap={12} grow align="flex-start">
      <TextInput label={t('percent')} inputMode="numeric" maxLength={2} {...form.getInputProps('percent')} />
      <TextInput label={t('orValue')} maxLength={30} {...form.getInputProps('valueBrl')} />
      <TextInput
        required
        label={t('periods')}
        inputMode="numeric"
        maxLength={3}
        {...form.getInputProps('periods')}
      />
    </Group>
  )
}
