import { afterAll } from 'vitest'
import { freshFolder } from './process.ts'

/** How to remove what the tests of a file make: done when they are over, the newest first. `place` makes a folder among them. */
export function trackLeftovers() {
  const leftovers: (() => unknown)[] = []
  afterAll(async () => {
    for (const remove of leftovers.reverse()) await remove()
  })
  const place = () => {
    const { path, remove } = freshFolder()
    leftovers.push(remove)
    return path
  }
  return { leftovers, place }
}
