import type { Rule, Source } from './codebase.ts'

const WATCHED = 'apps/server/testing/failpoints.watched.ts'
const point = /['"`]([\w./-]+\.ts)#([\w.]+):(?:before|after)\b/g

/** Tests draw a few of their points a run: one that a rename left behind fails in whichever run draws it. */
export const failpointsExist: Rule = {
  name: 'every failpoint exists, is watched and is used',
  find: ({ sources }) => {
    const list = sources.find(({ path }) => path === WATCHED)
    if (!list) return []
    const watched = watchedIn(list.text)
    const used = sources
      .filter(({ path }) => path.startsWith('apps/server/'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(point)].map(([, file, name]) => ({ path, watch: `${file}#${name}` })),
      )
    const isUsed = new Set(used.map(({ watch }) => watch))
    return [
      ...used
        .filter(({ watch }) => !watched.has(watch))
        .map(({ path, watch }) => `${path} uses ${watch}: add it to ${WATCHED}`),
      ...[...watched]
        .filter(watch => !isUsed.has(watch))
        .map(watch => `${WATCHED} has ${watch}, which no test uses: take it out`),
      ...[...watched]
        .filter(watch => !isExported(sources, watch))
        .map(watch => `${WATCHED} has ${watch}, which no file exports: name it as it is now`),
    ]
  },
}

/** The points of the list, as `file#name`. */
const watchedIn = (text: string) =>
  new Set(
    [...text.matchAll(/'([\w./-]+\.ts)': \[([^\]]+)\]/g)].flatMap(([, file, names]) =>
      [...names!.matchAll(/'([\w.]+)'/g)].map(([, name]) => `${file}#${name}`),
    ),
  )

function isExported(sources: Source[], watch: string) {
  const [file = '', names = ''] = watch.split('#')
  const name = names.split('.')[0]
  const exported = new RegExp(`^export (?:async )?(?:function|const) ${name}\\b`, 'm')
  return sources.some(({ path, text }) => path.endsWith(`/src/${file}`) && exported.test(text))
}
