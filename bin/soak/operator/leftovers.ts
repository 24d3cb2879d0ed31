/** What a run has made and started. `end` removes all of it, the newest first, whatever fails meanwhile. */
export interface Leftovers {
  add(name: string, end: () => unknown): void
  end(): Promise<void>
}

export function leftovers(): Leftovers {
  const all: { name: string; end: () => unknown }[] = []
  return {
    add: (name, end) => void all.push({ name, end }),
    async end() {
      for (let last = all.pop(); last; last = all.pop())
        try {
          await last.end()
        } catch (error) {
          console.error(`${last.name} could not be ended: ${(error as Error).message}`)
        }
    },
  }
}

/** Rejects at the first Ctrl-C or order to end, so that the run removes what it has made before it ends. */
export function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new Error(`interrupted by ${signal}`)))
  })
}
