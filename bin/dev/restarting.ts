import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'

/** An order to a run: to load what may have been saved; to serve, with what was prepared for it. */
export type Order = { what: 'load' } | { what: 'serve'; prepared: string | null }

interface How {
  /** A program that waits for its orders, and sends a message when it serves. */
  script: string
  /** Folders: a saved file in them starts the program again. */
  watched: string[]
  /** Ready before the first run serves, and the same for all runs. */
  prepared: Promise<string | null>
}

/** An editor writes a file in several steps. */
const SETTLED_MS = 30

/**
 * Runs a program, and again when a file is saved. The next run waits beside the one that serves; it loads while that one
 * ends, and serves once it has ended. A run that fails is followed by one at the next save.
 */
export function restarting({ script, watched, prepared }: How) {
  let next = begin()
  let current: ChildProcess | undefined
  let isTurning = false
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  let isStopped = false

  function begin() {
    return spawn(process.execPath, [script], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  }

  async function turn() {
    if (isTurning) return
    isTurning = true
    while (isDue && !isStopped) {
      isDue = false
      const before = current
      const now = isRunning(next) && next !== before ? next : begin()
      current = next = now
      order(now, { what: 'load' })
      await ended(before, 'SIGTERM')
      order(now, { what: 'serve', prepared: await prepared })
      // not earlier: what is needed now has the processor for itself
      now.once('message', () => {
        if (next === now && !isStopped) next = begin()
      })
    }
    isTurning = false
  }

  function saved(_: string, path: string | null) {
    if (path && (!/\.(ts|sql)$/.test(path) || /\.test\.ts$/.test(path))) return
    clearTimeout(timer)
    timer = setTimeout(again, SETTLED_MS)
  }

  function again() {
    isDue = true
    // whoever prepares says why it failed
    turn().catch(() => {})
  }

  again()
  const watchers = watched.map(folder => watch(folder, { recursive: true }, saved))
  return {
    /** Ends all runs; without a signal they got one already. */
    async stop(signal?: NodeJS.Signals) {
      isStopped = true
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
      await Promise.all([current, next].map(child => ended(child, signal)))
    },
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

function order(child: ChildProcess, given: Order) {
  // one that ends at this moment is seen by its exit
  if (child.connected) child.send(given, () => {})
}

async function ended(child: ChildProcess | undefined, signal: NodeJS.Signals | undefined) {
  if (!child || !isRunning(child)) return
  const exit = once(child, 'exit')
  if (signal) child.kill(signal)
  await exit
}
