import { registerHooks } from 'node:module'
import { watchedCalls } from './failpoints.watched.ts'

/**
 * Preloaded into a product process by tests (node --import): makes it die by `kill -9`, or freeze, at an exact point. Production
 * code knows nothing of it. A watchedCalls module is replaced by one that re-exports it with some functions wrapped, so a
 * point is where another module calls in: just before the call, or just after its promise is kept (or the step in which
 * it is made, when it gives none). `maker.method` names a method of what `maker` gives.
 */

/** `DIE_AT`, with `DIE_NTH` times before it is passed: for failpoints reached before the process can receive an order. */
let armed = {
  point: process.env.DIE_AT ?? '',
  nth: Number(process.env.DIE_NTH ?? 0),
  signal: 'SIGKILL' as NodeJS.Signals,
}
process.on('message', order => {
  armed = order as typeof armed
  if (!isWatched(armed.point)) throw new Error(`Nothing is watchedCalls at ${armed.point}`)
})
process.channel?.unref()
process.on('disconnect', () => process.exit(1)) // the tests are gone: nothing of theirs stays behind

function isWatched(point: string) {
  const [module = '', name = ''] = point.split(/[#:]/)
  return watchedCalls[module]?.includes(name) ?? false
}

const reach = (point: string) => {
  if (point !== armed.point || armed.nth-- > 0) return
  armed.point = ''
  process.kill(process.pid, armed.signal)
}

type Call = (...given: unknown[]) => unknown
Object.assign(globalThis, {
  failpoint:
    (name: string, call: Call): Call =>
    (...given) => {
      reach(`${name}:before`)
      const result = call(...given)
      if (!(result instanceof Promise)) {
        queueMicrotask(() => reach(`${name}:after`))
        return result
      }
      return result.then(value => {
        reach(`${name}:after`)
        return value
      })
    },
  failpointIn:
    (name: string, method: string, make: Call): Call =>
    (...given) => {
      const made = make(...given) as Record<string, Call>
      return { ...made, [method]: Reflect.get(globalThis, 'failpoint')(`${name}.${method}`, made[method]) }
    },
})

const REAL = '?behind-failpoints'

registerHooks({
  load(url, context, next) {
    const file = Object.keys(watchedCalls).find(name => url.endsWith(`/src/${name}`))
    if (!file) return next(url.replace(REAL, ''), context)
    const real = JSON.stringify(url + REAL)
    const names = Map.groupBy(watchedCalls[file]!, watch => watch.split('.')[0]!)
    const wrapped = [...names].map(([name, watches]) => {
      const call = `(...given) => real.${name}(...given)`
      const wrap = (made: string, watch: string) => {
        const method = watch.split('.')[1]
        return method
          ? `globalThis.failpointIn('${file}#${name}', '${method}', ${made})`
          : `globalThis.failpoint('${file}#${name}', ${made})`
      }
      return `export const ${name} = ${watches.reduce(wrap, call)}`
    })
    return {
      format: 'module',
      shortCircuit: true,
      source: [`import * as real from ${real}`, `export * from ${real}`, ...wrapped].join('\n'),
    }
  },
})
