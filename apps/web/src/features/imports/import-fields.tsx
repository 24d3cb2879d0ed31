import { SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { clock, momentAt } from '../../platform/time.ts'
import { useImportText } from './imports.text.ts'

export interface ImportValues extends Record<string, unknown> {
  importOldMessages: string | null
  importRecentMessages: string | null
  importOldMessagesGroups: boolean
  closedTicketsPostImported: boolean
}

/** Which of the phone's old messages a connection imports. Times are shown on the company's clock. */
export function ImportFields<Values extends ImportValues>({ form }: { form: UseFormReturnType<Values> }) {
  const t = useImportText()
  const values: ImportValues = form.values
  const set = (name: keyof ImportValues, value: unknown) => form.setFieldValue(name as never, value as never)
  const moment = (name: 'importOldMessages' | 'importRecentMessages') => ({
    type: 'datetime-local',
    value: values[name] ? clock(values[name]).format('YYYY-MM-DDTHH:mm') : '',
    error: form.errors[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      set(name, value ? momentAt(value) : null)
    },
  })
  const choice = (name: 'importOldMessagesGroups' | 'closedTicketsPostImported') => ({
    checked: values[name],
    onChange: (event: { currentTarget: { checked: boolean } }) => set(name, event.currentTarget.checked),
  })
  return (
    <Stack gap={8} component="fieldset" p={0} m={0} bd="none">
      <Text component="legend" size="sm" fw={500}>
        {t('heading')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('hint')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <TextInput label={t('from')} {...moment('importOldMessages')} />
        <TextInput label={t('until')} {...moment('importRecentMessages')} />
      </SimpleGrid>
      {values.importOldMessages && (
        <>
          <Switch label={t('groups')} {...choice('importOldMessagesGroups')} />
          <Switch label={t('closeAfter')} {...choice('closedTicketsPostImported')} />
        </>
      )}
    </Stack>
  )
}

/** What is wrong with the moments, by field (CONN-018, CONN-019); empty when nothing is. */
export function importErrors({ importOldMessages: from, importRecentMessages: until }: ImportValues) {
  const t = useImportText.read
  return {
    ...(from && from > new Date().toISOString() && { importOldMessages: t('fromLate') }),
    ...(from && until && until < from && { importRecentMessages: t('untilEarly') }),
  }
}
