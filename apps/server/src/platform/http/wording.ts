import { cut } from '@balcao/contract/cut.rules.ts'
import { z } from 'zod'

/** The languages of the product. */
export type WordingLanguage = 'pt' | 'en' | 'es'

/** How zod words what does not fit a shape and has no text of its own. */
export type Wording = ReturnType<typeof z.locales.en>['localeError']

const wordings: Record<WordingLanguage, Wording> = {
  pt: z.locales.pt().localeError,
  en: z.locales.en().localeError,
  es: z.locales.es().localeError,
}

/** In the language of `languageOf`. */
export const wordingOf = (accepted: string | undefined): Wording => wordings[languageOf(accepted)]

/** The first language of an Accept-Language header that the product has; English without one. */
export function languageOf(accepted: string | undefined): WordingLanguage {
  const wanted = cut(accepted ?? '', 200)
    .split(',')
    .map(one => {
      const [tag = '', quality = ''] = one.split(';q=')
      return {
        language: tag.trim().split('-')[0]!.toLowerCase(),
        weight: quality === '' ? 1 : Number(quality),
      }
    })
    .filter(
      (one): one is { language: WordingLanguage; weight: number } =>
        one.language in wordings && one.weight > 0,
    )
    .toSorted((a, b) => b.weight - a.weight)
  return wanted[0]?.language ?? 'en'
}
