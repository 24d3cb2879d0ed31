import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

const FIRST_PAUSE_MS = 1_000
/** Maximum attempts while the browser is online: after them a new version may have been deployed. */
const TRIES = 4

/** Code not yet needed, loaded when idle: it may be needed without a connection. */
const idle: (() => Promise<unknown>)[] = []

interface Meanwhile {
  /** Shown until it is loaded. */
  instead?: ReactNode
  /** Shown when loading failed at first: it is retried. */
  away?: ReactNode
  /** Loaded only when it is shown. */
  isLarge?: boolean
}

/**
 * A component whose code is loaded when it is first shown. A failed load is retried, at once when the browser
 * comes online; a final failure throws, for the boundary around it.
 *
 * Instead of `lazy` and `Suspense`: React 19 keeps content behind a fallback for 300 ms, so every first
 * display of a screen or a dialog would last that long.
 */
export function soon<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { instead = null, away = instead, isLarge = false }: Meanwhile = {},
): ComponentType<Props> {
  let here: ComponentType<Props> | undefined
  const come = async () => {
    here ??= (await load()).default
    return here
  }
  if (!isLarge) idle.push(come)
  // biome-ignore lint/correctness/noComponentHookFactories: called at the top of a module, as lazy is
  return function Soon(props: Props) {
    const [Shown, setShown] = useState(() => here)
    const [isAway, setAway] = useState(false)
    useEffect(() => {
      if (Shown) return
      return patiently(
        come,
        loaded => setShown(() => loaded),
        () => setAway(true),
        error =>
          setShown(() => {
            throw error
          }),
      )
    }, [Shown])
    return Shown ? <Shown {...props} /> : isAway ? away : instead
  }
}

/** Retries until it is loaded; the answered function cancels. */
function patiently<T>(
  ask: () => Promise<T>,
  found: (one: T) => void,
  failed: () => void,
  lost: (error: unknown) => void,
): () => void {
  let isGone = false
  let tries = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const go = () => {
    clearTimeout(timer)
    ask().then(
      one => isGone || found(one),
      error => {
        if (isGone) return
        failed()
        if (navigator.onLine && ++tries >= TRIES) return lost(error)
        timer = setTimeout(go, FIRST_PAUSE_MS * 2 ** Math.min(tries, 3))
      },
    )
  }
  go()
  window.addEventListener('online', go)
  return () => {
    isGone = true
    clearTimeout(timer)
    window.removeEventListener('online', go)
  }
}

/**
 * Preloads the code that visible screens may need next, one after the other; what fails is loaded when it is
 * shown.
 */
export async function comeWhenIdle(): Promise<void> {
  const turn = () =>
    new Promise<void>(then =>
      'requestIdleCallback' in window ? requestIdleCallback(() => then()) : setTimeout(then, FIRST_PAUSE_MS),
    )
  for (let at = 0; at < idle.length; at++) {
    await turn()
    await idle[at]!().catch(() => {})
  }
}
