import type { User } from '@balcao/contract/users.ts'

/** A process of another version may answer without what a menu entry reads: then it is as if that were not so. */
export function decided(decide: ((user: User) => boolean) | undefined, user: User): boolean {
  try {
    return decide?.(user) ?? true
  } catch (error) {
    console.warn('a menu entry could not be decided', error)
    return false
  }
}
