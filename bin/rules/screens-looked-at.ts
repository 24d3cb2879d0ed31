import type { Rule } from './codebase.ts'

const TABLE = 'e2e/screens.ts'

/** A screen missing in the table of screens is not checked for accessibility, contrast and small phones. */
export const screensLookedAt: Rule = {
  name: 'every screen is looked at in every theme and on a phone',
  find({ sources }) {
    const table = sources.find(({ path }) => path === TABLE)?.text ?? ''
    const looked = new Set([...table.matchAll(/looksAt\('([^']+)'/g)].map(([, route]) => route))
    const cards = sources.filter(({ path }) => /^apps\/web\/src\/features\/[^/]+\/index\.tsx?$/.test(path))
    const routes = cards.flatMap(({ path, text }) =>
      [...text.matchAll(/path:\s*'([^']+)',\s*access:/g)].map(([, route]) => ({ route: route!, path })),
    )
    return [
      ...routes
        .filter(({ route }) => !looked.has(route))
        .map(({ route, path }) => `${route} of ${path} is not looked at: add its line to ${TABLE}`),
      ...[...looked]
        .filter(route => !routes.some(one => one.route === route))
        .map(route => `${TABLE} looks at ${route}, which no feature shows`),
    ]
  },
}
