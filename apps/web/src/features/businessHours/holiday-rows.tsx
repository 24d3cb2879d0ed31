import type { Holiday } from '@balcao/contract/businessHours.ts'
import { Group, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { useHoursText } from './businessHours.text.ts'
import { Add, bare, keyed, type RowProps } from './hours-rows.tsx'

export const NEW_HOLIDAY: Holiday = { day: '', name: '' }

/** The days on which it is closed, in a form. */
export function HolidayRows({
  initial,
  onChange,
}: {
  initial: Holiday[]
  onChange(holidays: Holiday[]): void
}) {
  const t = useHoursText()
  const [rows, setRows] = useState(() => initial.map(keyed))
  function become(next: typeof rows) {
    setRows(next)
    onChange(next.map(bare))
  }
  return (
    <>
      {rows.map(one => (
        <HolidayRow
          key={one.key}
          holiday={one}
          onChange={some => become(rows.map(row => (row.key === one.key ? { ...row, ...some } : row)))}
          onRemove={() => become(rows.filter(row => row.key !== one.key))}
        />
      ))}
      <Add label={t('addHoliday')} onAdd={() => become([...rows, keyed(NEW_HOLIDAY)])} />
    </>
  )
}

export function HolidayRow({ holiday, onChange, onRemove }: RowProps<Holiday> & { holiday: Holiday }) {
  const t = useHoursText()
  return (
    <Group role="group" aria-label={holiday.name || t('holiday')} gap={8} align="flex-end" wrap="wrap">
      <TextInput
        type="date"
        label={t('holiday')}
        value={holiday.day}
        onChange={event => onChange({ day: event.currentTarget.value })}
      />
      <TextInput
        label={t('name')}
        value={holiday.name}
        maxLength={100}
        onChange={event => onChange({ name: event.currentTarget.value })}
        flex="1 1 160px"
      />
      <IconButton label={t('removeHoliday')} onClick={onRemove}>
        <IconTrash size={18} aria-hidden />
      </IconButton>
    </Group>
  )
}
