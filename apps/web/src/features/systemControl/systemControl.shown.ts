import { useSystemText } from './systemControl.text.ts'

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** A size in units of 1024 (SYS-013): 1.5 GiB, as the reader's language writes numbers. */
export function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const figure = bytes / 1024 ** power
  const digits = power > 0 && figure < 100 ? 1 : 0
  return `${figure.toLocaleString(document.documentElement.lang, { maximumFractionDigits: digits })} ${UNITS[power]}`
}

export const percent = (value: number) =>
  `${value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 })} %`

/** How long something runs, in its two largest units. */
export function spanOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  const hours = Math.floor(minutes / 60)
  const t = useSystemText.read
  if (hours >= 24) return t('days', { days: Math.floor(hours / 24), hours: hours % 24 })
  return hours > 0 ? t('hours', { hours, minutes: minutes % 60 }) : t('minutes', { minutes })
}
