import { Checkbox, Group, Text, TextInput } from '@mantine/core'
import { clock } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { pauseBilling } from './billing.api.ts'
import { PauseInput } from './billing.shapes.ts'
import { useBillingText } from './billing.text.ts'

/** Lets a subscription rest between two days, or until further notice. */
export function PauseDialog({ companyId, onClose }: { companyId: number; onClose(): void }) {
  const t = useBillingText()
  return (
    <Dialog title={t('pauseTitle')} onClose={onClose}>
      <RowForm
        schema={PauseInput}
        initialValues={{ from: clock().format('YYYY-MM-DD'), until: '', reason: '', restsService: false }}
        confirm={t('pause')}
        done={t('paused')}
        save={values => pauseBilling(companyId, { ...values, until: values.until || null })}
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">{t('pauseHint')}</Text>
            <Group gap={12} grow align="flex-start">
              <TextInput data-autofocus type="date" label={t('from')} {...form.getInputProps('from')} />
              <TextInput
                type="date"
                label={t('until')}
                description={t('untilHint')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                {...form.getInputProps('until')}
              />
            </Group>
            <Checkbox
              label={t('restsService')}
              description={t('restsServiceHint')}
              {...form.getInputProps('restsService', { type: 'checkbox' })}
            />
            <TextInput required label={t('reason')} maxLength={200} {...form.getInputProps('reason')} />
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
