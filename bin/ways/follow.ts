import { type Codebase, isTest } from '../rules/codebase.ts'
import { type Declaration, type References, referencesIn } from './graph.ts'
import { leaves, leftOut, ways } from './ways.ts'

/** The files in the order in which they are met, and how many declarations of them. */
export interface Followed {
  files: string[]
  declarations: number
}

/** What is read to follow a way. */
export interface Way {
  name: string
  /** Without the leaves, which it finds through a list. */
  spine: Followed
  whole: Followed
  /** Bounds of the spine. */
  most: { files: number; declarations: number }
}

/** Follows every way of `ways.ts`. Throws where a way begins at a file or a declaration that does not exist. */
export function followWays({ root, sources: all }: Codebase): Way[] {
  const sources = all.filter(({ path }) => !isTest(path))
  const paths = new Set(sources.map(({ path }) => path))
  const graph = referencesIn({ root, sources })
  return ways.map(({ name, from, most }) => {
    const starts = from.map(start => {
      const [path, declared] = start.split('#') as [string, string?]
      if (!paths.has(path) || (declared && !graph.declares({ path, name: declared })))
        throw new Error(`no way begins at ${start}: bin/ways/ways.ts`)
      return { path, name: declared ?? '' }
    })
    const isLeftOut = (path: string) => leftOut.some(one => one.paths.test(path))
    return {
      name,
      spine: follow(graph, starts, path => isLeftOut(path) || leaves.some(one => one.test(path))),
      whole: follow(graph, starts, isLeftOut),
      most,
    }
  })
}

function follow(graph: References, starts: Declaration[], isUnread: (path: string) => boolean): Followed {
  const met = new Set<string>()
  const files = new Set<string>()
  const visit = ({ path, name }: Declaration) => {
    const key = `${path}#${name}`
    if (met.has(key) || isUnread(path)) return
    met.add(key)
    files.add(path)
    for (const next of graph.references({ path, name })) visit(next)
  }
  for (const start of starts) {
    if (start.name) visit(start)
    files.add(start.path)
  }
  return { files: [...files], declarations: met.size }
}
