import dayjs, { type Dayjs } from 'dayjs'
import 'dayjs/locale/es'
import 'dayjs/locale/pt-br'
import localizedFormat from 'dayjs/plugin/localizedFormat'
import utc from 'dayjs/plugin/utc'
import type { Language } from './text.ts'

dayjs.extend(utc)
dayjs.extend(localizedFormat)

/** Offsets change on the quarter of an hour at the earliest, in every zone there is. */
const SLOT_MS = 15 * 60_000

let zone = ''
let format = formatOf(undefined)
const offsets = new Map<number, number>()

const locales: Record<Language, string> = { ptBR: 'pt-br', en: 'en', es: 'es' }

const hours = { LT: 'HH:mm', LTS: 'HH:mm:ss' }
const dayFirst = { ...hours, L: 'DD/MM/YYYY', l: 'DD/MM' }
/** `L` is a date, `l` one without its year, `LT` and `LTS` an hour. English names the month: 05/06 is read both ways. */
const written = { ptBR: dayFirst, en: { ...hours, L: 'MMM D, YYYY', l: 'MMM D' }, es: dayFirst }
for (const [language, formats] of Object.entries(written))
  Object.assign(dayjs.Ls[locales[language as Language]]!, { formats })

/** From now on the names of days and months are of this language. */
export const setDateLocale = (language: Language) => void dayjs.locale(locales[language])

/** From now on clocks show this zone; empty for the machine's own. */
export function showZone(name: string) {
  if (name === zone) return
  zone = name
  format = formatOf(name || undefined)
  offsets.clear()
}

/** A moment on the company's clock; now when none is given. Everything that shows a time uses it. */
export function clock(at: string | number = Date.now()): Dayjs {
  const moment = dayjs(at)
  return moment.utcOffset(offsetAt(moment.valueOf()))
}

/** The moment in UTC at which the company's clock shows `YYYY-MM-DDTHH:mm`. */
export function momentAt(shown: string): string {
  const asUtc = dayjs.utc(shown).valueOf()
  const near = asUtc - offsetAt(asUtc) * 60_000
  return new Date(asUtc - offsetAt(near) * 60_000).toISOString()
}

/** A clock time, `YYYY-MM-DDTHH:mm`, to be formatted: without a zone. */
export const shownTime = (shown: string): Dayjs => dayjs.utc(shown)

/** Minutes ahead of UTC. Cached, as lists request the same few quarters of an hour repeatedly. */
function offsetAt(moment: number): number {
  const slot = Math.floor(moment / SLOT_MS)
  const known = offsets.get(slot)
  if (known !== undefined || Number.isNaN(slot)) return known ?? 0
  const part = Object.fromEntries(
    format.formatToParts(slot * SLOT_MS).map(({ type, value }) => [type, +value]),
  )
  const shown = Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute)
  const offset = Math.round((shown - slot * SLOT_MS) / 60_000)
  if (offsets.size > 5_000) offsets.clear()
  offsets.set(slot, offset)
  return offset
}

function formatOf(timeZone: string | undefined) {
  const digits = 'numeric'
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: digits,
    month: digits,
    day: digits,
    hour: digits,
    minute: digits,
  })
}
