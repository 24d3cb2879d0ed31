/** Bounds what runs at once, in all and per owner. */
export interface Slots {
  /** False where none is free. A slot that was acquired is released. */
  acquire(whose: string): boolean
  release(whose: string): void
}

export function openSlots({ all, ofOne }: { all: number; ofOne: number }): Slots {
  const used = new Map<string, number>()
  let count = 0
  return {
    acquire(whose) {
      const own = used.get(whose) ?? 0
      if (own >= ofOne || count >= all) return false
      count++
      used.set(whose, own + 1)
      return true
    },
    release(whose) {
      const left = used.get(whose)! - 1
      count--
      if (left === 0) used.delete(whose)
      else used.set(whose, left)
    },
  }
}
