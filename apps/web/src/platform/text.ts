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

function chosen(): Language {
  const stored = localStorage.getItem(STORED)
  return order.find(language => language === stored) ?? 'ptBR'
}

const first = chosen()
const current = store(first)

document.documentElement.lang = htmlLanguage[first]

/** A text in Portuguese, English and Spanish, side by side: one that lacks a language does not compile. */
type Translated = readonly [pt: string, en: string, es: string]
type Values = Record<string, string | number>

/**
 * Texts of a feature. Answers a hook for their reader; `{name}` in a text is replaced by the value, and of a
 * key with a `_one` variant that one is used where `count` is 1: sufficient for all three languages.
 */
export function texts<const T extends Record<string, Translated>>(given: T) {
  const read = (key: keyof T & string, values: Values = {}) => {
    const one = values.count === 1 && given[`${key}_one`]
    const text = (one || given[key]!)[order.indexOf(current.read())]!
    // in one pass: placeholders inside a value are never replaced
    return text.replace(/\{(\w+)\}/g, (written, name: string) => String(values[name] ?? written))
  }
  const use = () => {
    useLanguage()
    return read
  }
  return Object.assign(use, { read })
}

export const language = (): Language => current.read()

/** Calls the listener with the language: now, and before the screen shows another. */
export function onLanguage(listener: (language: Language) => void) {
  listener(current.read())
  current.follow(() => listener(current.read()))
}

export const useLanguage = (): Language => useStore(current)

/** Changes every text on the screen at once and remembers the choice. */
export function speak(next: Language) {
  localStorage.setItem(STORED, next)
  show(next)
}

function show(next: Language) {
  document.documentElement.lang = htmlLanguage[next]
  current.write(next)
}

/** A language chosen in another tab of this browser applies in this one. */
export const followLanguage = () =>
  window.addEventListener('storage', ({ key }) => {
    if (key === STORED) show(chosen())
  })
