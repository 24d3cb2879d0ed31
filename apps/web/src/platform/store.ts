import { useSyncExternalStore } from 'react'

/** A value outside of the components that they follow by `useStore`. */
export interface Store<T> {
  read(): T
  write(next: T): void
  /** Tells of each change until the answered function is called. */
  follow(tell: () => void): () => void
}

export function store<T>(first: T): Store<T> {
  let now = first
  const followers = new Set<() => void>()
  return {
    read: () => now,
    write(next) {
      now = next
      for (const tell of followers) tell()
    },
    follow(tell) {
      followers.add(tell)
      return () => void followers.delete(tell)
    },
  }
}

/** What a store holds, as it changes, or the part of it that is picked. */
export function useStore<T>(from: Store<T>): T
export function useStore<T, P>(from: Store<T>, pick: (now: T) => P): P
export function useStore<T, P>({ follow, read }: Store<T>, pick?: (now: T) => P) {
  const shown = () => (pick ? pick(read()) : read())
  return useSyncExternalStore(follow, shown, shown)
}

/** One value of many; undefined takes it away. */
export function writeKey<K, V>(all: Store<ReadonlyMap<K, V>>, key: K, value: V | undefined) {
  const others = [...all.read()].filter(([one]) => one !== key)
  all.write(new Map(value === undefined ? others : [...others, [key, value]]))
}
