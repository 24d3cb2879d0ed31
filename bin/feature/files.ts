import * as contract from './contract-side.ts'
import * as server from './server-side.ts'
import * as web from './web-side.ts'
import { type Words, wordsOf } from './words.ts'

export interface FeatureFile {
  path: string
  /** What stands there. */
  says: string
  text: string
}

/** Every file of a new feature, on all sides. */
export function filesOf(name: string): FeatureFile[] {
  const words = wordsOf(name)
  const file = (path: string, says: string, text: (words: Words) => string) => ({
    path,
    says,
    text: text(words),
  })
  const [onServer, onWeb] = [`apps/server/src/features/${name}`, `apps/web/src/features/${name}`]
  return [
    file(`packages/contract/src/${name}.ts`, 'shapes, routes, live channel', contract.shapes),
    file(`packages/contract/src/${name}.rules.ts`, 'pure decisions of both sides', contract.rules),
    file(`${onServer}/${name}.table.ts`, 'tables, indexes, foreign keys', server.table),
    file(`${onServer}/${name}.queries.ts`, 'all SQL, scope first', server.queries),
    file(`${onServer}/${name}.actions.ts`, 'the verbs; one transaction each', server.actions),
    file(`${onServer}/${name}.events.ts`, 'what it announces', server.events),
    file(`${onServer}/${name}.routes.ts`, 'contract route -> action', server.routes),
    file(`${onServer}/${name}.live.ts`, 'which event goes to whom', server.live),
    file(`${onServer}/index.ts`, "the feature's card", server.card),
    file(`${onServer}/${name}.test.ts`, 'sentences, over HTTP', server.tests),
    file(`${onWeb}/${name}.api.ts`, 'keys, queries, mutations', web.api),
    file(`${onWeb}/${name}.live.ts`, 'push -> cache', web.live),
    file(`${onWeb}/${name}.text.ts`, 'pt, en, es side by side', web.text),
    file(`${onWeb}/${words.one}-screen.tsx`, 'one component, one file', web.screen),
    file(`${onWeb}/index.tsx`, "the feature's card", web.card),
    file(`e2e/${name}.e2e.ts`, 'people in a real browser', web.e2e),
  ]
}

/** What is left to do by hand, once the files stand. */
export const stepsOf = (name: string): string[] => {
  const { many } = wordsOf(name)
  return [
    `apps/server/src/features.ts: import { ${many} } from './features/${name}/index.ts', and ${many} in the list`,
    `apps/web/src/features.ts: import { ${many} } from './features/${name}/index.tsx', and ${many} in the list`,
    `in apps/server: npx drizzle-kit generate --name ${name}`,
    'npm run check',
  ]
}
