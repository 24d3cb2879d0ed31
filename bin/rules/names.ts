import { placeOf, type Rule, type Source } from './codebase.ts'

const vague = /(^|[-_.])(utils?|helpers?|managers?|services?|common|misc|shared)([-_.]|$)/i
const serverRoles = [
  'table',
  'queries',
  'actions',
  'events',
  'routes',
  'live',
  'joins',
  'reacts',
  'jobs',
  'rules',
]

/**
 * A feature's files are found by their names: index.ts, FEATURE.ROLE.ts, or FEATURE.SUBJECT.ts for a subject split off
 * a role that grew (tickets.search.ts); on the web components too, which are named after what they show. A room, a folder
 * of a large feature on the web, may say its own name instead: composer/composer.text.ts.
 */
export const names: Rule = {
  name: 'files are named by feature and role',
  find: ({ sources }) => sources.flatMap(source => [...vagueName(source), ...wrongRole(source)]),
}

function vagueName({ path }: Source): string[] {
  const name = path
    .split('/')
    .at(-1)!
    .replace(/\.tsx?$/, '')
  return vague.test(name) ? [`${path} says nothing: name it after what stands in it`] : []
}

function wrongRole({ path }: Source): string[] {
  const place = placeOf(path)
  const name = path.split('/').at(-1)!
  if (!place || place.role === 'index') return []
  if (place.side === 'web') return wrongOnWeb(path, name, place.feature)
  const [feature, subject, ...more] = name.replace(/\.ts$/, '').split('.')
  const test = more.length === 0 || more.at(-1) === 'test'
  if (feature === place.feature && subject && /^[a-z-]+$/.test(subject) && test) return []
  return [
    `${path}: call it ${place.feature}.ROLE.ts, ROLE being ${serverRoles.join(', ')}, test or a subject`,
  ]
}

const webRoles = ['api', 'live', 'text']

function wrongOnWeb(path: string, name: string, feature: string): string[] {
  const [word, role] = name.replace(/\.tsx?$/, '').split('.')
  const room = path.split('/').at(-2)
  if (!role || role === 'test' || role === 'dialog' || role === 'module') return []
  if (word === feature || word === room) return []
  return [
    `${path}: call it ${feature}.ROLE.ts, ROLE being ${webRoles.join(', ')} or a subject; or thing-list.tsx, do-it.dialog.tsx`,
  ]
}
