import { type Store, store } from './store.ts'

const parts: (() => void)[] = []

/**
 * State of this window that belongs to the logged-in user: emptied when that is another or none, here or in
 * another tab.
 */
export function ofPerson(empty: () => void): void {
  parts.push(empty)
}

export function forgetPerson(): void {
  for (const empty of parts) empty()
}

/** A store of what belongs to a person. */
export function ownStore<T>(first: T): Store<T> {
  const made = store(first)
  ofPerson(() => made.write(first))
  return made
}
