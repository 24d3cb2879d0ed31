import type { PlaceHours as Own } from '@balcao/contract/businessHours.ts'
import { Stack, Switch, Text } from '@mantine/core'
import { useHoursText } from './businessHours.text.ts'
import { HolidayRows } from './holiday-rows.tsx'
import { after, HoursRows } from './hours-rows.tsx'

interface Props {
  value: Own
  /** What the switches say of where these hours count. */
  hint: string
  /** Fields of the form with an error. */
  wrong: string[]
  onHours(hours: Own['hours']): void
  onHolidays(holidays: Own['holidays']): void
}

/** Hours and holidays of a queue or a connection that are not those of the company. */
export function OwnHours({ value: { hours, holidays }, hint, wrong, onHours, onHolidays }: Props) {
  const t = useHoursText()
  const isWrong = (field: string) => wrong.some(path => path.startsWith(field))
  return (
    <Stack gap={8}>
      <Switch
        label={t('own')}
        description={hint}
        checked={hours !== null}
        onChange={event => onHours(event.currentTarget.checked ? [after(undefined)] : null)}
      />
      {hours && <HoursRows initial={hours} onChange={onHours} />}
      {hours?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('never')}
        </Text>
      )}
      {isWrong('hours') && <Wrong>{t('wrongHours')}</Wrong>}
      <Switch
        label={t('ownHolidays')}
        description={t('ownHolidaysHint')}
        checked={holidays !== null}
        onChange={event => onHolidays(event.currentTarget.checked ? [] : null)}
      />
      {holidays && <HolidayRows initial={holidays} onChange={onHolidays} />}
      {isWrong('holidays') && <Wrong>{t('wrongHolidays')}</Wrong>}
    </Stack>
  )
}

const Wrong = ({ children }: { children: string }) => (
  <Text role="alert" size="sm" c="var(--error)">
    {children}
  </Text>
)
