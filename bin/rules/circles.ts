import type { House, Rule } from './house.ts'

/** Files that need each other when they are loaded cannot be read, tried or moved one at a time. */
export const noCircles: Rule = {
  name: 'no files need each other in a circle',
  find: house =>
    circles(house).map(ring => `${ring.join(' -> ')}: move what both need into a file of its own`),
}

/** One way round for each file that leads back to itself, told once. */
function circles({ sources }: House): string[][] {
  const needs = new Map(sources.map(source => [source.path, source.needs]))
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
