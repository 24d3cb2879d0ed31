import { isTest, type Rule } from './codebase.ts'

/** What may change in a module of the server, and why it belongs to the process or ends with what it is about. */
const allowed: [path: RegExp, why: string][] = [
  [/^apps\/server\/src\/platform\/startup\/data-dir-lock\.ts$/, 'locks of files belong to the process'],
  [/^apps\/server\/src\/platform\/clock\.ts$/, 'a process has one clock, as `Date` is one'],
  [/^apps\/server\/src\/channels\/baileys\/library\/console\.ts$/, 'the console belongs to the process'],
  [/^apps\/server\/src\/channels\/baileys\/library\/unread-fields\.ts$/, 'so does the library'],
  [
    /^apps\/server\/src\/platform\/postgres\/drizzle\/session\.ts$/,
    'known by a connection, and ends with it',
  ],
  [
    /^apps\/server\/src\/features\/bots\/bots\.turn\.queries\.ts$/,
    'known by a transaction, and ends with it',
  ],
]

/** A variable, or something empty that is filled later, outside of any function. */
const state =
  /^(?:export )?(?:let \w+|const \w+(?:: [^=\n]+)? = (?:new (?:WeakMap|(?:Map|Set)(?:<[^\n]*>)?\(\)|LRUCache)|\[\]\n|\{\}\n))/m

export const noModuleState: Rule = {
  name: 'modules of the server hold no state',
  find: ({ sources }) =>
    sources
      .filter(({ path }) => path.startsWith('apps/server/src/') && !isTest(path))
      .filter(({ path }) => !allowed.some(([place]) => place.test(path)))
      .flatMap(({ path, text }) => {
        const found = state.exec(text)
        const line = found && text.slice(0, found.index).split('\n').length
        return found
          ? [`${path}:${line} keeps state of all products of a process: use perProduct (platform/memory.ts)`]
          : []
      }),
}
