import { cut } from '@balcao/contract/cut.rules.ts'
import { z } from 'zod'

/** How zod words what does not fit a shape and has no text of its own. */
export type Wording = ReturnType<typeof z.locales.en>['localeError']

const wordings: Record<string, Wording> = {
  pt: z.locales.pt().localeError,
  en: z.locales.en().localeError,
  es: z.locales.es().localeError,
}

/** In the first language of an Accept-Language header that the product has; in English without one. */
export function wordingOf(accepted: string | undefined): Wording {
  const wanted = cut(accepted ?? '', 200)
    .split(',')
    .map(one => {
      const [tag = '', quality = ''] = one.split(';q=')
      return {
        language: tag.trim().split('-')[0]!.toLowerCase(),
        weight: quality === '' ? 1 : Number(quality),
      }
    })
    .filter(({ language, weight }) => language in wordings && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  return wordings[wanted[0]?.language ?? 'en']!
}
