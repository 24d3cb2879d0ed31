import { ChargeInput } from '@balcao/contract/pricing.ts'
import { Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { newId } from '../../platform/ids.ts'
import { clock } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { chargeOnce } from './pricing.api.ts'
import { usePricingText } from './pricing.text.ts'

/** Charges a company a sum apart from its periods. */
export function ChargeDialog({ companyId, onClose }: { companyId: number; onClose(): void }) {
  const t = usePricingText()
  const [requestId] = useState(newId)
  return (
    <Dialog title={t('charge')} onClose={onClose}>
      <RowForm
        schema={ChargeInput}
        initialValues={{ description: '', valueBrl: '', dueDate: clock().format('YYYY-MM-DD') }}
        confirm={t('charge')}
        done={t('charged')}
        save={values => chargeOnce(companyId, { ...values, requestId })}
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">{t('chargeHint')}</Text>
            <TextInput
              data-autofocus
              required
              label={t('description')}
              maxLength={100}
              {...form.getInputProps('description')}
            />
            <Group gap={12} grow align="flex-start">
              <TextInput required label={t('value')} maxLength={30} {...form.getInputProps('valueBrl')} />
              <TextInput required type="date" label={t('due')} {...form.getInputProps('dueDate')} />
            </Group>
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
