import type { Rule } from './codebase.ts'

/** A feature with a card that features.ts does not list is not in the product. */
export const featuresListed: Rule = {
  name: 'every feature is listed in features.ts',
  find: ({ sources }) =>
    (['server', 'web'] as const).flatMap(side => {
      const list = sources.find(({ path }) => path === `apps/${side}/src/features.ts`)
      const cards = sources.filter(({ path }) =>
        new RegExp(`^apps/${side}/src/features/[^/]+/index\\.tsx?$`).test(path),
      )
      return cards
        .filter(({ path }) => !list?.imports.includes(path))
        .map(({ path }) => `${path} is not listed: add its line to apps/${side}/src/features.ts`)
    }),
}
