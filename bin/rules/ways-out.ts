import { isTest, type Rule } from './codebase.ts'

const WAY = 'apps/web/src/ui/go-to.ts'

/**
 * What leads to another address asks first where something on the page is not saved. The router's own function does not; a
 * link and a step in the history are asked about by `ui/unsaved.ts`, a reload by the browser.
 */
export const oneWayOut: Rule = {
  name: 'one function leads to another address',
  find: ({ sources }) =>
    sources
      .filter(({ path }) => path.startsWith('apps/web/src/') && path !== WAY && !isTest(path))
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, at) =>
            /\buse(?:Navigate|Submit)\b|\bhistory\.go\(|\bunstable_HistoryRouter\b/.test(line) &&
            path !== 'apps/web/src/ui/unsaved.ts'
              ? [`${path}:${at + 1} leaves without asking: use useGoTo of ui/go-to.ts`]
              : [],
          ),
      ),
}
