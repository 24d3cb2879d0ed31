import type { Codebase, Rule } from './codebase.ts'
import { readContract } from './contract.ts'

/** A call of the contract that is not served answers 404; served twice, one of the two is dead. */
export const routesServed: Rule = {
  name: 'every call of the contract is served once',
  async find(house) {
    const { routes } = await readContract(house)
    const served = servedIn(house)
    const known = new Set(routes.map(({ name }) => name))
    return [
      ...routes.flatMap(({ name, file }) => {
        const where = served.get(name) ?? []
        if (where.length === 1) return []
        if (where.length === 0)
          return [`${name} (${file}) is not served: add serve(${name}, …) to its x.routes.ts`]
        return [`${name} is served ${where.length} times (${where.join(', ')}): keep one`]
      }),
      ...[...served].flatMap(([name, where]) =>
        known.has(name) ? [] : [`${where[0]} serves ${name}, which the contract does not declare`],
      ),
      ...samePaths(
        routes.flatMap(({ name, route }) =>
          [route.path, ...route.aliases].map(path => ({ name, method: route.method, path })),
        ),
      ),
    ]
  },
}

/** What `serve(tickets.list, …)` and its kin name, with the names under which the contract was imported. */
function servedIn({ sources }: Codebase): Map<string, string[]> {
  const served = new Map<string, string[]>()
  for (const { path, text } of sources) {
    if (!/^apps\/server\/src\/.*\.routes\.ts$/.test(path)) continue
    const aliases = importedAs(text)
    for (const [, group, verb] of text.matchAll(/\bserve\w*\(\s*(\w+)\.(\w+)\s*,/g)) {
      const name = `${aliases.get(group!) ?? group}.${verb}`
      served.set(name, [...(served.get(name) ?? []), path])
    }
  }
  return served
}

function importedAs(text: string): Map<string, string> {
  const imports = text.matchAll(/import\s*\{([^}]*)\}\s*from\s*'@balcao\/contract\/[^']+'/g)
  const renamed = [...imports].flatMap(([, names]) => [...names!.matchAll(/(\w+)\s+as\s+(\w+)/g)])
  return new Map(renamed.map(([, original, local]) => [local!, original!]))
}

function samePaths(calls: { name: string; method: string; path: string }[]): string[] {
  const owners = new Map<string, string>()
  return calls.flatMap(({ name, method, path }) => {
    const shape = `${method} ${path.toLowerCase().replace(/:\w+/g, ':x').replace(/\/$/, '')}`
    const owner = owners.get(shape)
    owners.set(shape, name)
    return owner ? [`${name} and ${owner} share ${method} ${path}: only one of them can answer`] : []
  })
}
