import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { clock } from '../../platform/time.ts'
import { FieldSection } from '../../ui/fieldset.tsx'
import { AcceptanceTable } from './acceptance-table.tsx'
import { PublishDialog } from './publish.dialog.tsx'
import { currentTerms, withdrawTerms } from './terms.api.ts'
import { useTermsText } from './terms.text.ts'

/** The operator’s terms: the version that is asked for, and who accepted which. */
export function TermsSection() {
  const t = useTermsText()
  const { data } = useQuery(currentTerms)
  const [publishing, publish] = useState(false)
  const [busy, setBusy] = useState(false)
  const withdraw = () => {
    setBusy(true)
    return withdrawTerms()
      .then(() => notify.done(t('withdrawn')), notify.failed)
      .finally(() => setBusy(false))
  }
  const current = data?.terms
  return (
    <FieldSection legend={t('title')}>
      <Text size="sm" c="dimmed" mb={12}>
        {t('hint')}
      </Text>
      <Group justify="space-between" gap={12} mb={12}>
        <Text size="sm">
          {data &&
            (current
              ? t('current', { version: current.version, day: clock(current.publishedAt).format('L LT') })
              : t('none'))}
        </Text>
        <Group gap={8}>
          {current && (
            <Button variant="default" loading={busy} onClick={() => void withdraw()}>
              {t('withdraw')}
            </Button>
          )}
          <Button variant="default" onClick={() => publish(true)}>
            {t('publish')}
          </Button>
        </Group>
      </Group>
      <AcceptanceTable />
      {publishing && <PublishDialog onClose={() => publish(false)} />}
    </FieldSection>
  )
}
