import { readFileSync } from 'node:fs'

/**
 * Does something once npm, or the shell that npm put between itself and us, is gone: a signal to npm ends that shell
 * and never arrives here, and a server that outlives its npm keeps the port. Does nothing when npm did not start us.
 */
export function whenAbandoned(act) {
  if (!process.env.npm_lifecycle_event) return
  const parents = [process.ppid, parentOf(process.ppid)]
  const watch = setInterval(() => {
    if (process.ppid === parents[0] && parentOf(parents[0]) === parents[1]) return
    clearInterval(watch)
    act()
  }, 300)
  watch.unref()
}

/** Known on Linux only; elsewhere the shell's end alone is noticed. */
function parentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) . /, '')
      .split(' ')[0]
  } catch {
    return null
  }
}
