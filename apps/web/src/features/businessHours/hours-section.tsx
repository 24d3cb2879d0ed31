import { BusinessHours, type Holiday } from '@balcao/contract/businessHours.ts'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNot } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { UnsavedAsks } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Late } from '../../ui/late.tsx'
import { useMeanwhile } from '../../ui/list-screen/use-meanwhile.tsx'
import { ownHours, saveHours } from './businessHours.api.ts'
import { useHoursText } from './businessHours.text.ts'
import { Add, after, bare, HoursRow, keyed, type RowProps } from './hours-rows.tsx'

/** When the company is open: a section of the settings. */
export function HoursSection({ className, headClass }: { className?: string; headClass?: string }) {
  const t = useHoursText()
  const { data, isError, error } = useQuery(ownHours)
  return (
    <section className={className} aria-label={t('title')}>
      <h2 className={headClass}>{t('title')}</h2>
      <Text size="sm" c="dimmed" mb={12}>
        {t('hint')}
      </Text>
      {data ? (
        <HoursForm initial={data} />
      ) : (
        <Late>
          <p role="status">{isError && whyNot(error, t('failed'))}</p>
        </Late>
      )}
    </section>
  )
}

function HoursForm({ initial }: { initial: BusinessHours }) {
  const t = useHoursText()
  const [hours, setHours] = useState(() => initial.hours.map(keyed))
  const [holidays, setHolidays] = useState(() => initial.holidays.map(keyed))
  const [busy, setBusy] = useState(false)
  const wanted = { hours: hours.map(bare), holidays: holidays.map(bare) } as BusinessHours
  const [kept, setKept] = useState(initial)
  const isWrong = !BusinessHours.safeParse(wanted).success
  const meanwhile = useMeanwhile()
  async function save(seen = kept) {
    setBusy(true)
    await saveHours(wanted, seen).then(
      saved => {
        setHours(saved.hours.map(keyed))
        setHolidays(saved.holidays.map(keyed))
        setKept(saved)
        notify.done(t('saved'))
      },
      error => meanwhile.asks(error, current => void save(current as BusinessHours)) || notify.failed(error),
    )
    setBusy(false)
  }
  return (
    <Stack gap={8}>
      {hours.map(one => (
        <HoursRow
          key={one.key}
          hours={one}
          onChange={some =>
            setHours(all => all.map(row => (row.key === one.key ? { ...row, ...some } : row)))
          }
          onRemove={() => setHours(all => all.filter(row => row.key !== one.key))}
        />
      ))}
      <Add label={t('addHours')} onAdd={() => setHours([...hours, keyed(after(hours.at(-1)))])} />
      {holidays.map(one => (
        <HolidayRow
          key={one.key}
          holiday={one}
          onChange={some =>
            setHolidays(all => all.map(row => (row.key === one.key ? { ...row, ...some } : row)))
          }
          onRemove={() => setHolidays(all => all.filter(row => row.key !== one.key))}
        />
      ))}
      <Add label={t('addHoliday')} onAdd={() => setHolidays([...holidays, keyed({ day: '', name: '' })])} />
      {isWrong && (
        <Text role="alert" size="sm" c="var(--error)">
          {t('wrong')}
        </Text>
      )}
      <Group gap={12}>
        <Button onClick={() => void save()} loading={busy} disabled={isWrong}>
          {t('save')}
        </Button>
        <UnsavedAsks isUnsaved={JSON.stringify(wanted) !== JSON.stringify(kept)} />
      </Group>
      {meanwhile.question}
    </Stack>
  )
}

function HolidayRow({ holiday, onChange, onRemove }: RowProps<Holiday> & { holiday: Holiday }) {
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
