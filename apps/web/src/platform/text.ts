import { store, useStore } from './store.ts'

export type Language = 'ptBR' | 'en' | 'es'
export const languages: { value: Language; label: string }[] = [
  { value: 'ptBR', label: 'Português' },
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
]

const STORED = 'i18nextLng'
const order: Language[] = ['ptBR', 'en', 'es']
export const htmlLanguage = { ptBR: 'pt-BR', en: 'en', es: 'es' } as const satisfies Record<Language, string>

const stored = localStorage.getItem(STORED)
const first: Language = order.find(language => language === stored) ?? 'ptBR'
const spoken = store(first)

document.documentElement.lang = htmlLanguage[first]

/** A text in Portuguese, English and Spanish, side by side: one that lacks a language does not compile. */
type Translated = readonly [pt: string, en: string, es: string]
type Values = Record<string, string | number>

/**
 * Texts of a feature. Answers a hook that gives their reader; `{name}` in a text is filled from the values, and of a
 * key with `_one` beside it that one is read where `count` is 1: what all three languages need.
 */
export function texts<const T extends Record<string, Translated>>(given: T) {
  const read = (key: keyof T & string, values: Values = {}) => {
    const one = values.count === 1 && given[`${key}_one`]
    const text = (one || given[key]!)[order.indexOf(spoken.read())]!
    // in one go: what stands in a value is never read as a text
    return text.replace(/\{(\w+)\}/g, (written, name: string) => String(values[name] ?? written))
  }
  const use = () => {
    useLanguage()
    return read
  }
  return Object.assign(use, { read })
}

export const language = (): Language => spoken.read()

/** Tells what is spoken: now, and before the screen shows another. */
export function hearLanguage(hear: (language: Language) => void) {
  hear(spoken.read())
  spoken.follow(() => hear(spoken.read()))
}

export const useLanguage = (): Language => useStore(spoken)

/** Changes every text on the screen at once and remembers the choice. */
export function speak(next: Language) {
  localStorage.setItem(STORED, next)
  document.documentElement.lang = htmlLanguage[next]
  spoken.write(next)
}
