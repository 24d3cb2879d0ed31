import dayjs from 'dayjs'
import 'dayjs/locale/es'
import 'dayjs/locale/pt-br'
import i18next from 'i18next'
import { store, useStore } from './store.ts'

export type Language = 'ptBR' | 'en' | 'es'
export const languages: { value: Language; label: string }[] = [
  { value: 'ptBR', label: 'Português' },
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
]

const STORED = 'i18nextLng'
const order: Language[] = ['ptBR', 'en', 'es']
const locales: Record<Language, string> = { ptBR: 'pt-br', en: 'en', es: 'es' }
export const htmlLanguage = { ptBR: 'pt-BR', en: 'en', es: 'es' } as const satisfies Record<Language, string>

const stored = localStorage.getItem(STORED)
const first: Language = order.find(language => language === stored) ?? 'ptBR'
const spoken = store(first)

void i18next.init({
  lng: first,
  fallbackLng: 'en',
  resources: Object.fromEntries(order.map(language => [language, {}])),
  interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
  initAsync: false,
})
dayjs.locale(locales[first])
document.documentElement.lang = htmlLanguage[first]

/** A text in Portuguese, English and Spanish, side by side: one that lacks a language does not compile. */
type Translated = readonly [pt: string, en: string, es: string]
type Values = Record<string, string | number>

let spaces = 0

/**
 * Texts of a feature. Answers a hook that gives their reader; `{name}` in a text is filled from the values, and a
 * key with `_one` beside it follows `count`.
 */
export function texts<const T extends Record<string, Translated>>(given: T) {
  const space = `t${spaces++}`
  for (const [at, language] of order.entries())
    i18next.addResourceBundle(
      language,
      space,
      Object.fromEntries(Object.entries(given).map(([key, all]) => [key, all[at]])),
    )
  const read = (key: keyof T & string, values?: Values) =>
    String(i18next.t(key, { ns: space, ...values } as never))
  const use = () => {
    useLanguage()
    return read
  }
  return Object.assign(use, { read })
}

export const language = (): Language => spoken.read()

export const useLanguage = (): Language => useStore(spoken)

/** Changes every text on the screen at once and remembers the choice. */
export async function speak(next: Language): Promise<void> {
  localStorage.setItem(STORED, next)
  dayjs.locale(locales[next])
  document.documentElement.lang = htmlLanguage[next]
  await i18next.changeLanguage(next)
  spoken.write(next)
}
