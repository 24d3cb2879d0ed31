import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const CONTRACT = '@balcao/contract/'
const IMPORT = /^import \{([^}]+)\} from '@balcao\/contract\/((?!\S+\.rules\.ts)(?:\w+\.)+ts)'$/gm
/** One name a module: what the start asks of a file brings nothing else of it. */
const DATA = '?data='

/**
 * A screen calls by method and path and subscribes by a channel's name; what an answer may look like the server checks. So
 * what of the contract is plain data comes without the shapes beside it, which come with the forms that ask for them.
 * Nothing is written twice: the data is read from the contract while the app is built. In development it comes whole.
 */
export const contractAsData: Plugin = {
  name: 'contract-as-data',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/apps\/web\/src\/.*\.tsx?$/, code: CONTRACT },
    async handler(code) {
      const files = new Set(Array.from(code.matchAll(IMPORT), ([, , file]) => file!))
      const known = new Map<string, Record<string, unknown>>()
      for (const file of files) known.set(file, await dataOf(import.meta.resolve(CONTRACT + file)))
      const told = code.replace(IMPORT, (_, names: string, file: string) =>
        halves(names, file, known.get(file)!),
      )
      return { code: told, map: null }
    },
  },
  load: {
    filter: { id: /\?data=\w+$/ },
    async handler(id) {
      const [file, name] = id.split(DATA) as [string, string]
      const data = await dataOf(pathToFileURL(file).href)
      return { code: `export const ${name} = ${JSON.stringify(data[name])}`, moduleType: 'js' }
    },
  },
}

/** What is asked for as data, and what is left for the file itself; types leave nothing behind. */
function halves(names: string, file: string, data: Record<string, unknown>): string {
  const asked = names.split(',').flatMap(one => one.trim() || [])
  const values = asked.filter(name => !name.startsWith('type '))
  const isData = (name: string) => Object.hasOwn(data, nameOf(name))
  const types = asked.filter(name => !values.includes(name)).map(name => name.slice('type '.length))
  const shapes = values.filter(name => !isData(name))
  const from = (kind: 'import' | 'import type', some: string[], query = '') =>
    some.length > 0 ? `${kind} { ${some.join(', ')} } from '${CONTRACT}${file}${query}';` : ''
  return [
    ...values.filter(isData).map(name => from('import', [name], DATA + nameOf(name))),
    from('import', shapes),
    from('import type', types),
  ].join('')
}

/** Of `routes as calls` what the file calls it. */
const nameOf = (asked: string) => asked.split(' ')[0]!

async function dataOf(address: string): Promise<Record<string, unknown>> {
  const all = Object.entries((await import(address)) as object)
  return Object.fromEntries(
    all.map(([name, value]) => [name, plain(value)]).filter(([, data]) => data !== undefined),
  )
}

/** What is no more than data: of a call and of a channel all but their shapes. Undefined where more is needed. */
function plain(value: unknown): unknown {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value
  if (Array.isArray(value)) return whole(value.map(plain))
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return undefined
  const told = Object.entries(value).filter(([key, one]) => one !== undefined && !isShape(value, key))
  const parts = whole(told.map(([, one]) => plain(one)))
  return parts && Object.fromEntries(told.map(([key], at) => [key, parts[at]]))
}

const whole = (parts: unknown[]) => (parts.includes(undefined) ? undefined : parts)

const SHAPES = ['params', 'query', 'body', 'reply', 'says', 'aliases', 'limit']
const isShape = (of: object, key: string) =>
  'reply' in of && 'path' in of ? SHAPES.includes(key) : 'payload' in of && key === 'payload'
