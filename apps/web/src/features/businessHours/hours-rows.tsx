import type { OpenHours } from '@balcao/contract/businessHours.ts'
import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { useHoursText } from './businessHours.text.ts'
import { clockOf, minutesOf, useWeekdays } from './clock-time.ts'

type Keyed<Row> = Row & { key: number }
let keys = 0
/** A row of a list whose rows have no id. */
export const keyed = <Row extends object>(row: Row): Keyed<Row> => ({ ...row, key: ++keys })
export const bare = <Row extends object>({ key: _key, ...row }: Keyed<Row>) => row

/** The hours of one week, in a form. */
export function HoursRows({
  initial,
  onChange,
}: {
  initial: OpenHours[]
  onChange(hours: OpenHours[]): void
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
        <HoursRow
          key={one.key}
          hours={one}
          onChange={some => become(rows.map(row => (row.key === one.key ? { ...row, ...some } : row)))}
          onRemove={() => become(rows.filter(row => row.key !== one.key))}
        />
      ))}
      <Add label={t('addHours')} onAdd={() => become([...rows, keyed(after(rows.at(-1)))])} />
    </>
  )
}

/** The next day's defaults: the hours of the previous one. */
export const after = (last: OpenHours | undefined): OpenHours => ({
  weekday: last ? (last.weekday + 1) % 7 : 1,
  opens: last?.opens ?? 8 * 60,
  closes: last?.closes ?? 18 * 60,
})

export function Add({ label, onAdd }: { label: string; onAdd(): void }) {
  return (
    <Button
      variant="subtle"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={onAdd}
      style={{ alignSelf: 'flex-start' }}
    >
      {label}
    </Button>
  )
}

export interface RowProps<Row> {
  onChange(some: Partial<Row>): void
  onRemove(): void
}

export function HoursRow({ hours, onChange, onRemove }: RowProps<OpenHours> & { hours: OpenHours }) {
  const t = useHoursText()
  const days = useWeekdays()
  return (
    <Group role="group" aria-label={days[hours.weekday]?.label} gap={8} align="flex-end" wrap="wrap">
      <Select
        label={t('weekday')}
        data={days}
        value={String(hours.weekday)}
        onChange={day => onChange({ weekday: Number(day) })}
        allowDeselect={false}
        flex="1 1 160px"
      />
      <Group gap={8} align="flex-end" wrap="nowrap" flex="1 1 240px">
        <TextInput
          type="time"
          flex={1}
          label={t('opens')}
          value={clockOf(hours.opens)}
          onChange={event => onChange({ opens: minutesOf(event.currentTarget.value) })}
        />
        <TextInput
          type="time"
          flex={1}
          label={t('closes')}
          value={clockOf(hours.closes)}
          onChange={event => onChange({ closes: minutesOf(event.currentTarget.value) || 24 * 60 })}
        />
        <IconButton label={t('removeHours')} onClick={onRemove}>
          <IconTrash size={18} aria-hidden />
        </IconButton>
      </Group>
    </Group>
  )
}
