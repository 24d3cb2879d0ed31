import { Button, Group, Text } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay, useUser } from '../../platform/session.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { VisitDialog } from './visit.dialog.tsx'
import { VisitTable } from './visit-table.tsx'
import { useVisitText } from './visits.text.ts'

/** Visits of the operator in a company; a master begins one in a company that is not his own. */
export function VisitSection({ companyId, name }: { companyId: number; name: string }) {
  const t = useVisitText()
  const isOwn = useUser().companyId === companyId
  const isMaster = useMay('master')
  const [starting, setStarting] = useState(false)
  return (
    <FieldSection legend={t('visits')}>
      <Group justify="space-between" align="center" gap={12} mb={12}>
        <Text size="sm" c="dimmed" maw={560}>
          {t('hint')}
        </Text>
        {isMaster && !isOwn && (
          <Button
            variant="default"
            leftSection={<IconEye size={16} aria-hidden />}
            onClick={() => setStarting(true)}
          >
            {t('start')}
          </Button>
        )}
      </Group>
      <VisitTable companyId={companyId} />
      {starting && <VisitDialog companyId={companyId} name={name} onClose={() => setStarting(false)} />}
    </FieldSection>
  )
}
