import { type CompanyExport, EXPORT_DAYS } from '@balcao/contract/companyExports.ts'
import { Button, Group, Text } from '@mantine/core'
import { IconPackageExport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { clock } from '../../platform/time.ts'
import { CopiedField } from '../../ui/copied-field.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { sizeOf } from '../systemControl/systemControl.shown.ts'
import { exportOf, makeExport } from './companyExports.api.ts'
import { useCompanyExportText } from './companyExports.text.ts'

/** A package of everything that a company has, with a link to it, for masters and its admins. */
export function ExportSection({ companyId }: { companyId: number }) {
  const t = useCompanyExportText()
  const { data } = useQuery(exportOf(companyId))
  const [busy, setBusy] = useState(false)
  const newest = data?.export ?? null
  async function make() {
    setBusy(true)
    await makeExport(companyId).catch(notify.failed)
    setBusy(false)
  }
  return (
    <FieldSection legend={t('data')}>
      <Group justify="space-between" align="center" gap={12} mb={12}>
        <Text size="sm" c="dimmed" maw={560}>
          {t('hint', { days: EXPORT_DAYS })}
        </Text>
        <Button
          variant="default"
          leftSection={<IconPackageExport size={16} aria-hidden />}
          loading={busy}
          disabled={!data || newest?.state === 'making'}
          onClick={() => void make()}
        >
          {t(newest?.state === 'ready' ? 'again' : 'make')}
        </Button>
      </Group>
      <div role="status">{newest && <Newest of={newest} />}</div>
    </FieldSection>
  )
}

function Newest({ of: { state, requestedAt, expiresAt, bytes, link } }: { of: CompanyExport }) {
  const t = useCompanyExportText()
  if (state === 'making')
    return <Text size="sm">{t('making', { when: clock(requestedAt).format('L LT') })}</Text>
  if (state === 'failed' || !link || !expiresAt) return <Text size="sm">{t('failed')}</Text>
  const label = t('link', { size: sizeOf(bytes), when: clock(expiresAt).format('L LT') })
  return <CopiedField label={label} value={link} />
}
