import { Button, MultiSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import { userChoices } from '../users/users.api.ts'
import { faultOf, thisMonth, type Wanted } from './reports.api.ts'
import { useReportText } from './reports.text.ts'

interface Props {
  title: string
  /** The report may be narrowed down to queues and users. */
  isOfPeople: boolean
  onGenerate(wanted: Wanted): void
  onClose(): void
}

/** Period, queues and users of a report. */
export function ReportDialog({ title, isOfPeople, onGenerate, onClose }: Props) {
  const t = useReportText()
  const [wanted, setWanted] = useState(thisMonth)
  const { data: queues = [] } = useQuery(queueChoices)
  const { data: users = [] } = useQuery(userChoices)
  const fault = faultOf(wanted)
  const change = (some: Partial<Wanted>) => setWanted({ ...wanted, ...some })
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (!fault) onGenerate(wanted)
        }}
      >
        <Stack gap={12}>
          <DateTimeField label={t('from')} value={wanted.from} onChange={from => change({ from })} />
          <DateTimeField
            label={t('until')}
            value={wanted.until}
            onChange={until => change({ until })}
            error={fault && t(fault)}
          />
          {isOfPeople && (
            <>
              <Several
                label={t('queues')}
                rows={queues}
                chosen={wanted.queueIds}
                onChange={queueIds => change({ queueIds })}
              />
              <Several
                label={t('users')}
                rows={users}
                chosen={wanted.userIds}
                onChange={userIds => change({ userIds })}
              />
            </>
          )}
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit">{t('generate')}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface SeveralProps {
  label: string
  rows: { id: number; name: string }[]
  chosen: number[]
  onChange(ids: number[]): void
}

function Several({ label, rows, chosen, onChange }: SeveralProps) {
  const t = useReportText()
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length === 0 ? t('all') : undefined}
      data={rows.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={chosen.map(String)}
      onChange={ids => onChange(ids.map(Number))}
      searchable
      clearable
      // the dropdown opens upwards: below it would cover the submit button
      comboboxProps={{ position: 'top' }}
    />
  )
}
