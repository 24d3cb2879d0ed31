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
  find({ sources }) {
    const rooms = new Map<string, string[]>()
    for (const { path, imports } of sources) {
      const room = roomOf(path)
      if (!room || isTest(path)) continue
      const others = imports.flatMap(target => roomOf(target) ?? []).filter(other => other !== room)
      rooms.set(room, [...(rooms.get(room) ?? []), ...others])
    }
    return circles(rooms).map(ring => `${ring.join(' -> ')}: move what both need into the lower room`)
  },
}

const roomOf = (path: string) => /^apps\/\w+\/src\/features\/[^/]+\/[^/]+(?=\/)/.exec(path)?.[0]

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
