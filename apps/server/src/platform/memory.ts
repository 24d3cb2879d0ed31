import { LRUCache } from 'lru-cache'

export interface HasMemory {
  memory: Memory
}

/**
 * What a running product keeps in memory between calls: caches, queues, slots. It belongs to the product and not to the
 * process, so that two products in one process share nothing.
 */
export class Memory {
  readonly #kept = new Map<unknown, unknown>()

  of<From, Value>(make: (from: From) => Value, from: From): Value {
    if (!this.#kept.has(make)) this.#kept.set(make, make(from))
    return this.#kept.get(make) as Value
  }
}

/** Something that each running product has one of, made when it is first needed: `const slotsOf = perProduct(openSlots)`. */
export const perProduct =
  <Value, From extends HasMemory = HasMemory>(make: (from: From) => Value) =>
  (from: From): Value =>
    from.memory.of(make, from)

/** More companies at once forget the one that was used least lately; what it has under way goes on. */
const COMPANIES = 1_000

/** The same for each company: `const queueOf = perCompany(openQueue)`, where what waits for a lock of one holds up no other. */
export function perCompany<Value, From extends HasMemory = HasMemory>(
  make: (from: From, companyId: number) => Value & {},
) {
  const all = perProduct<LRUCache<number, Value & {}>, From>(() => new LRUCache({ max: COMPANIES }))
  return (from: From, companyId: number): Value => {
    const known = all(from)
    const one = known.get(companyId) ?? make(from, companyId)
    known.set(companyId, one)
    return one
  }
}
