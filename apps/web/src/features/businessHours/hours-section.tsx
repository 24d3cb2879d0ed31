import { BusinessHours } from '@balcao/contract/businessHours.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNot } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { UnsavedAsks } from '../../ui/dialog.tsx'
import { Late } from '../../ui/late.tsx'
import { useMeanwhile } from '../../ui/list-screen/use-meanwhile.tsx'
import { ownHours, saveHours } from './businessHours.api.ts'
import { useHoursText } from './businessHours.text.ts'
import { HolidayRow, NEW_HOLIDAY } from './holiday-rows.tsx'
import { Add, after, bare, HoursRow, keyed } from './hours-rows.tsx'

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
      <Add label={t('addHoliday')} onAdd={() => setHolidays([...holidays, keyed(NEW_HOLIDAY)])} />
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
