import { nextOccurrences } from '@balcao/contract/schedules.rules.ts'
import type { Schedule } from '@balcao/contract/schedules.ts'
import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../../platform/text.ts'
import { clock, shownTime } from '../../platform/time.ts'
import { type FormValues, isEveryDays } from './schedule-values.ts'
import { workCalendar } from './schedules.api.ts'
import classes from './schedules.module.css'
import { useScheduleText } from './schedules.text.ts'

interface Props {
  values: FormValues
  /** The series while its time is unchanged: its day of the month is that of its first time. */
  of: Schedule | null
}

const SHOWN = 5
const WORKING = 'Recorrente em Dias Úteis'

/** Next times of a series, computed by the server's rules. */
export function NextTimes({ values, of }: Props) {
  const t = useScheduleText()
  useLanguage()
  const { typeSchedule, sendAt, untilDay, repeatCounter: repeats } = values
  const { data: calendar } = useQuery({ ...workCalendar, enabled: typeSchedule === WORKING })
  const everyDays = Number(values.everyDays) || null
  const isIncomplete = (isEveryDays(typeSchedule) && !everyDays) || (typeSchedule === WORKING && !calendar)
  if (typeSchedule === 'Único' || sendAt === '' || isIncomplete) return null
  const goesOn =
    of &&
    of.typeSchedule === typeSchedule &&
    of.everyDays === (isEveryDays(typeSchedule) ? everyDays : null) &&
    clock(of.sendAt).format('YYYY-MM-DDTHH:mm') === sendAt
  const [firstAt, passed] = goesOn ? [of.firstAt, of.number] : [sendAt, 0]
  const repeatCounter = repeats === '' ? null : passed + Number(repeats)
  const rhythm = { typeSchedule, firstAt, repeatCounter, everyDays, untilDay: untilDay || null }
  const known = { number: passed, at: sendAt }
  const times = nextOccurrences({ ...rhythm, ...(calendar && { calendar, known }) }, passed - 1, SHOWN + 1)
  return (
    <div className={classes.next}>
      <span className={classes.nextHead} id="next-times">
        {t('next')}
      </span>
      <ol aria-labelledby="next-times">
        {times.slice(0, SHOWN).map(shown => (
          <li key={shown}>{shownTime(shown).format('ddd L LT')}</li>
        ))}
        {times.length > SHOWN && <li>{t('more')}</li>}
      </ol>
    </div>
  )
}
