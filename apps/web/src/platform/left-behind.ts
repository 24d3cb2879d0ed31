/** What a user has written that only this browser has. */
interface LeftBehind {
  /** Gives the server what it may have; answers how many conversations remain. */
  settle(): Promise<number>
  /** Removes what remains. */
  drop(): Promise<void>
}

const NOTHING: LeftBehind = { settle: async () => 0, drop: async () => {} }

let now = NOTHING

/** Asked before a logout. */
export const leftBehind = {
  settle: () => now.settle(),
  drop: () => now.drop(),
  /** One at a time; until the answered function is called. */
  is(next: LeftBehind): () => void {
    now = next
    return () => {
      if (now === next) now = NOTHING
    }
  },
}
