import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FieldSection } from '../../ui/fieldset.tsx'
import { FiscalDialog } from './fiscal.dialog.tsx'
import { fiscalSettings } from './fiscalNotes.api.ts'
import { useFiscalText } from './fiscalNotes.text.ts'

/** How fiscal notes of payments are issued. */
export function FiscalSection() {
  const t = useFiscalText()
  const { data } = useQuery(fiscalSettings)
  const [editing, edit] = useState(false)
  return (
    <FieldSection legend={t('title')}>
      <Text size="sm" c="dimmed" mb={12}>
        {t('hint')}
      </Text>
      <Group justify="space-between" gap={12}>
        <Text size="sm">{data && (data.isOn ? t('on', { name: data.municipalServiceName }) : t('off'))}</Text>
        <Button variant="default" disabled={!data} onClick={() => edit(true)}>
          {t('edit')}
        </Button>
      </Group>
      {data && editing && <FiscalDialog settings={data} onClose={() => edit(false)} />}
    </FieldSection>
  )
}
