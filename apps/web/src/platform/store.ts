import { useSyncExternalStore } from 'react'

/** A value outside of the components that they follow by `useStore`. */
export interface Store<T> {
  read(): T
  write(next: T): void
  /** Calls the listener on each change until the answered function is called. */
  follow(listener: () => void): () => void
}

export function store<T>(first: T): Store<T> {
  let now = first
  const followers = new Set<() => void>()
  return {
    read: () => now,
    write(next) {
      now = next
      for (const listener of followers) listener()
    },
    follow(listener) {
      followers.add(listener)
      return () => void followers.delete(listener)
    },
  }
}

/** The value of a store, as it changes, or a selected part of it. */
export function useStore<T>(from: Store<T>): T
export function useStore<T, P>(from: Store<T>, pick: (now: T) => P): P
export function useStore<T, P>({ follow, read }: Store<T>, pick?: (now: T) => P) {
  const shown = () => (pick ? pick(read()) : read())
  return useSyncExternalStore(follow, shown, shown)
}

/** One value of many; undefined removes it. */
export function writeKey<K, V>(all: Store<ReadonlyMap<K, V>>, key: K, value: V | undefined) {
  const others = [...all.read()].filter(([one]) => one !== key)
  all.write(new Map(value === undefined ? others : [...others, [key, value]]))
}
