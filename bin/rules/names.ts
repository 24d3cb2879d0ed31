import { placeOf, type Rule, type Source } from './codebase.ts'

const vague = /(^|[-_.])(utils?|helpers?|managers?|services?|common|misc|shared)([-_.]|$)/i
const serverRoles = [
  'table',
  'queries',
  'actions',
  'events',
  'routes',
  'live',
  'reacts',
  'jobs',
  'worker',
  'rules',
  'text',
  'client',
  'export',
]

/**
 * A feature's files are found by their names: index.ts, FEATURE.ROLE.ts, FEATURE.SUBJECT.ROLE.ts for a subject split off
 * a role that grew, or SUBJECT.ROLE.ts in a room, which is a folder of a large feature. On the web components are named
 * after what they show, and a room may use its own name: composer/composer.text.ts.
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
  const [first, ...parts] = name.replace(/(\.test)?\.ts$/, '').split('.')
  const isNamed = parts.every(part => /^[a-z-]+$/.test(part))
  const inRoom = path.split('/').at(-2) !== place.feature
  if (inRoom && isNamed && (parts.length === 0 || serverRoles.includes(parts.at(-1)!))) return []
  if (first === place.feature && parts.length < 3 && isNamed && name !== `${first}.ts`) return []
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
