import { isTest, type Rule } from './codebase.ts'

/** Files that need each other when they are loaded cannot be read, tried or moved one at a time. */
export const noCircles: Rule = {
  name: 'no files need each other in a circle',
  find: ({ sources }) =>
    circles(new Map(sources.map(({ path, needs }) => [path, needs]))).map(
      ring => `${ring.join(' -> ')}: move what both need into a file of its own`,
    ),
}

/** Folders of a large feature are layers: imports between them, of types too, have one direction. */
export const roomsOneWay: Rule = {
  name: 'rooms of a feature import one way',
  find: oneWay(/^apps\/\w+\/src\/features\/[^/]+\/[^/]+(?=\/)/, 'move what both need into the lower room'),
}

/** So are the features of the web. Those of the server have the order of features.ts. */
export const webFeaturesOneWay: Rule = {
  name: 'features of the web import one way',
  find: oneWay(
    /^apps\/web\/src\/features\/[^/]+(?=\/)/,
    'move what both need into the lower feature, or pass it in from the screen that shows both',
  ),
}

/** Imports between the folders that the pattern finds, of types and late ones too, make no circle. */
function oneWay(folder: RegExp, remedy: string): Rule['find'] {
  const folderOf = (path: string) => folder.exec(path)?.[0]
  return ({ sources }) => {
    const needs = new Map<string, string[]>()
    for (const { path, imports } of sources) {
      const own = folderOf(path)
      if (!own || isTest(path)) continue
      const others = imports.flatMap(target => folderOf(target) ?? []).filter(other => other !== own)
      needs.set(own, [...(needs.get(own) ?? []), ...others])
    }
    return circles(needs).map(ring => `${ring.join(' -> ')}: ${remedy}`)
  }
}

/** Each import cycle, once. */
function circles(needs: Map<string, string[]>): string[][] {
  const done = new Set<string>()
  const found: string[][] = []
  const visit = (path: string, way: string[]) => {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path])
    if (done.has(path) || way.includes(path)) return
    for (const next of needs.get(path) ?? []) visit(next, [...way, path])
    done.add(path)
  }
  for (const path of needs.keys()) visit(path, [])
  return found
}
