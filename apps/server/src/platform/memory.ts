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
