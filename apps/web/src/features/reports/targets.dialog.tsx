import { ReportTargets } from '@balcao/contract/reports.ts'
import { Button, NumberInput, Stack, Text } from '@mantine/core'
import { IconTargetArrow } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { whole } from '../../platform/numbers.ts'
import { useMay } from '../../platform/session.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useMeanwhile } from '../../ui/list-screen/use-meanwhile.tsx'
import { ReportAction } from './report-action.tsx'
import { changeTargets, ownTargets } from './reports.api.ts'
import { useReportText } from './reports.text.ts'

/** Opens the company's targets, for users who may change them. */
export function TargetsButton() {
  const t = useReportText()
  const { data } = useQuery(ownTargets)
  const [isOpen, setOpen] = useState(false)
  if (!useMay('administration')) return null
  return (
    <>
      <ReportAction
        label={t('targets')}
        icon={<IconTargetArrow size={16} aria-hidden />}
        disabled={!data}
        onClick={() => setOpen(true)}
      />
      {isOpen && data && <TargetsDialog targets={data} onClose={() => setOpen(false)} />}
    </>
  )
}

const FIELDS = ['waitMinutes', 'serveMinutes', 'closedPerDay'] as const

function TargetsDialog({ targets, onClose }: { targets: ReportTargets; onClose(): void }) {
  const t = useReportText()
  const [values, setValues] = useState(targets)
  const [busy, setBusy] = useState(false)
  const [before] = useState(targets)
  const meanwhile = useMeanwhile()
  const isWrong = (field: keyof ReportTargets) => !ReportTargets.shape[field].safeParse(values[field]).success
  const most = (field: keyof ReportTargets) => ReportTargets.shape[field].unwrap().maxValue ?? 0
  async function save(seen: ReportTargets) {
    setBusy(true)
    try {
      await changeTargets(values, seen)
      notify.done(t('targetsSaved'))
      onClose()
    } catch (error) {
      if (!meanwhile.asks(error, current => void save(current as ReportTargets))) notify.failed(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('targets')} onClose={onClose} isUnsaved={values !== before}>
      {meanwhile.question}
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (!FIELDS.some(isWrong)) void save(before)
        }}
      >
        <Text size="sm" c="dimmed" mb={12}>
          {t('targetsHint')}
        </Text>
        <Stack gap={12}>
          {FIELDS.map(field => (
            <NumberInput
              key={field}
              label={t(field)}
              data-path={field}
              clampBehavior="none"
              value={values[field] ?? ''}
              onChange={value => setValues({ ...values, [field]: value === '' ? null : Number(value) })}
              error={isWrong(field) && t('outOfBounds', { most: whole(most(field)) })}
            />
          ))}
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy}>
            {t('saveTargets')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
