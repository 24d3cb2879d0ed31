import { FiscalSettings } from '@balcao/contract/fiscalNotes.ts'
import { Checkbox, NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { saveFiscalSettings } from './fiscalNotes.api.ts'
import { useFiscalText } from './fiscalNotes.text.ts'

const RATES = ['iss', 'pis', 'cofins', 'csll', 'inss', 'ir'] as const

/** The municipal service and the rates of fiscal notes. */
export function FiscalDialog({ settings, onClose }: { settings: FiscalSettings; onClose(): void }) {
  const t = useFiscalText()
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <RowForm
        schema={FiscalSettings}
        initialValues={settings}
        confirm={t('save')}
        done={t('saved')}
        save={saveFiscalSettings}
        onClose={onClose}
      >
        {form => (
          <>
            <Switch label={t('isOn')} {...form.getInputProps('isOn', { type: 'checkbox' })} />
            <TextInput
              label={t('municipalServiceName')}
              maxLength={250}
              {...form.getInputProps('municipalServiceName')}
            />
            <TextInput
              label={t('municipalServiceId')}
              maxLength={50}
              {...form.getInputProps('municipalServiceId')}
            />
            <TextInput
              label={t('municipalServiceCode')}
              description={t('codeHint')}
              maxLength={50}
              {...form.getInputProps('municipalServiceCode')}
            />
            <TextInput label={t('description')} maxLength={400} {...form.getInputProps('description')} />
            <TextInput label={t('observations')} maxLength={400} {...form.getInputProps('observations')} />
            <Checkbox label={t('retainIss')} {...form.getInputProps('retainIss', { type: 'checkbox' })} />
            <SimpleGrid cols={3} spacing={12}>
              {RATES.map(rate => (
                <NumberInput
                  key={rate}
                  label={t(rate)}
                  min={0}
                  max={100}
                  decimalScale={2}
                  {...form.getInputProps(rate)}
                />
              ))}
            </SimpleGrid>
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
