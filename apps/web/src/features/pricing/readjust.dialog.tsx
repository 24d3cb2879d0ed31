import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { ANNOUNCED_DAYS } from '@balcao/contract/pricing.rules.ts'
import { ReadjustmentInput } from '@balcao/contract/pricing.ts'
import { Group, Text, TextInput } from '@mantine/core'
import { clock } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { announceReadjustment } from './pricing.api.ts'
import { usePricingText } from './pricing.text.ts'

/** Announces a new price of a company's plan. */
export function ReadjustDialog({ companyId, onClose }: { companyId: number; onClose(): void }) {
  const t = usePricingText()
  return (
    <Dialog title={t('readjust')} onClose={onClose}>
      <RowForm
        schema={ReadjustmentInput}
        initialValues={{
          percent: '',
          from: daysFrom(clock().format('YYYY-MM-DD'), ANNOUNCED_DAYS),
          reason: '',
        }}
        confirm={t('readjust')}
        done={t('readjusted')}
        save={values => announceReadjustment(companyId, values)}
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">{t('readjustHint')}</Text>
            <Group gap={12} grow align="flex-start">
              <TextInput
                data-autofocus
                required
                label={t('rate')}
                maxLength={10}
                {...form.getInputProps('percent')}
              />
              <TextInput required type="date" label={t('from')} {...form.getInputProps('from')} />
            </Group>
            <TextInput required label={t('reason')} maxLength={200} {...form.getInputProps('reason')} />
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
