import { nextOccurrences } from '@balcao/contract/schedules.rules.ts'
import type { Schedule } from '@balcao/contract/schedules.ts'
import { useLanguage } from '../../platform/text.ts'
import { clock, shownTime } from '../../platform/time.ts'
import classes from './schedules.module.css'
import { useScheduleText } from './schedules.text.ts'

interface Props {
  typeSchedule: Schedule['typeSchedule']
  sendAt: string
  repeats: string | number
  /** The series while its time is unchanged: its day of the month is that of its first time. */
  of: Schedule | null
}

const SHOWN = 5

/** Next times of a series, computed by the server's rules. */
export function NextTimes({ typeSchedule, sendAt, repeats, of }: Props) {
  const t = useScheduleText()
  useLanguage()
  if (typeSchedule === 'Único' || sendAt === '') return null
  const goesOn =
    of && of.typeSchedule === typeSchedule && clock(of.sendAt).format('YYYY-MM-DDTHH:mm') === sendAt
  const [firstAt, passed] = goesOn ? [of.firstAt, of.number] : [sendAt, 0]
  const repeatCounter = repeats === '' ? null : passed + Number(repeats)
  const times = nextOccurrences({ typeSchedule, firstAt, repeatCounter }, passed - 1, SHOWN + 1)
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
