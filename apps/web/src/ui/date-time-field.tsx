import { DateTimePicker } from '@mantine/dates'
import type { ReactNode } from 'react'
import '@mantine/dates/styles.layer.css'
import { htmlLanguage, texts, useLanguage } from '../platform/text.ts'

const useText = texts({
  done: ['Pronto', 'Done', 'Listo'],
  hours: ['Horas', 'Hours', 'Horas'],
  minutes: ['Minutos', 'Minutes', 'Minutos'],
  before: ['Anterior', 'Previous', 'Anterior'],
  after: ['Próximo', 'Next', 'Siguiente'],
  clear: ['Limpar', 'Clear', 'Limpiar'],
})

const locales = { ptBR: 'pt-br', en: 'en', es: 'es' } as const
/** The week begins on Monday in Spanish. */
const MONDAY = 1
const SUNDAY = 0

interface Props {
  label: string
  /** What the company's clock shows, `YYYY-MM-DDTHH:mm`; null for no moment. */
  value: string | null
  onChange(shown: string | null): void
  /** Shown for an empty value. */
  placeholder?: string
  /** The first and the last day that may be chosen, `YYYY-MM-DD`. */
  from?: string
  until?: string
  error?: ReactNode
}

/** A day and an hour by the company's clock, in the language and the manner that the viewer has chosen. */
export function DateTimeField({ value, onChange, from, until, ...field }: Props) {
  const t = useText()
  const language = useLanguage()
  return (
    <DateTimePicker
      {...field}
      minDate={from}
      maxDate={until}
      clearable
      locale={locales[language]}
      firstDayOfWeek={language === 'es' ? MONDAY : SUNDAY}
      valueFormat="L LT"
      lang={htmlLanguage[language]}
      value={value?.replace('T', ' ') ?? null}
      onChange={chosen => onChange(chosen?.slice(0, 16).replace(' ', 'T') ?? null)}
      previousLabel={t('before')}
      nextLabel={t('after')}
      submitButtonProps={{ 'aria-label': t('done') }}
      clearButtonProps={{ 'aria-label': `${t('clear')} ${field.label}` }}
      timePickerProps={{ hoursInputLabel: t('hours'), minutesInputLabel: t('minutes') }}
    />
  )
}
