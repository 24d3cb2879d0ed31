import { type Codebase, isTest } from '../rules/codebase.ts'
import { type Declaration, referencesIn } from './graph.ts'
import { leftOut, ways } from './ways.ts'

/** What is read to follow a way: the files in the order in which they are met, and how many declarations of them. */
export interface Way {
  name: string
  files: string[]
  declarations: number
  most: { files: number; declarations: number }
}

/** Follows every way of `ways.ts`. Throws where a way begins at a file or a declaration that does not exist. */
export function followWays({ root, sources: all }: Codebase): Way[] {
  const sources = all.filter(({ path }) => !isTest(path))
  const paths = new Set(sources.map(({ path }) => path))
  const graph = referencesIn({ root, sources })
  return ways.map(({ name: way, from, most }) => {
    const met = new Set<string>()
    const files = new Set<string>()
    const visit = ({ path, name }: Declaration) => {
      const key = `${path}#${name}`
      if (met.has(key) || leftOut.some(({ paths: left }) => left.test(path))) return
      met.add(key)
      files.add(path)
      for (const next of graph.references({ path, name })) visit(next)
    }
    for (const start of from) {
      const [path, name] = start.split('#') as [string, string?]
      if (!paths.has(path) || (name && !graph.declares({ path, name })))
        throw new Error(`no way begins at ${start}: bin/ways/ways.ts`)
      if (name) visit({ path, name })
      files.add(path)
    }
    return { name: way, files: [...files], declarations: met.size, most }
  })
}
