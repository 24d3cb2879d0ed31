/**
 * A service manager signals every process of a service, npm signals the launcher, and the launcher passes on what it gets:
 * one stop arrives as several signals. Within so long they are the same one.
 */
const SAME_MS = 5_000

interface Stopping {
  /** Finishes what has begun, and ends the process. */
  stop(signal: string): Promise<void>
  /** Ends the process at once. */
  abort(): void
  now?: () => number
}

/** A handler for SIGTERM, SIGINT and SIGHUP: the first stops, a later one that is not the same aborts. */
export function stopOnce({ stop, abort, now = () => performance.now() }: Stopping) {
  let first: number | null = null
  return (signal: string): void => {
    if (first === null) {
      first = now()
      void stop(signal)
    } else if (now() - first > SAME_MS) abort()
  }
}
