import { followWays } from '../ways/follow.ts'
import type { Rule } from './codebase.ts'

/** What is read to follow a message grows unseen with each feature: the bounds of `ways.ts` may only fall. Leaves do not count. */
export const shortWays: Rule = {
  name: 'the ways of a message get no longer',
  find: house =>
    followWays(house).flatMap(({ name, spine: { files, declarations }, most }) =>
      [
        { what: 'files', now: files.length, bound: most.files },
        { what: 'declarations', now: declarations, bound: most.declarations },
      ]
        .filter(({ now, bound }) => now > bound)
        .map(
          ({ what, now, bound }) =>
            `${name}: ${now} ${what}, more than ${bound}: see \`npm run ways -- --list\``,
        ),
    ),
}
