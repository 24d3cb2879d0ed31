import { createContext, useContext, useEffect } from 'react'

/** Counts the forms of the surrounding dialog in which something is not saved; null outside of dialogs. */
export const Unsaved = createContext<((more: 1 | -1) => void) | null>(null)

/** Reports to the surrounding dialog, which asks before it is closed. */
export function useUnsaved(isUnsaved: boolean): void {
  const count = useContext(Unsaved)
  useEffect(() => {
    if (!isUnsaved) return
    count?.(1)
    return () => count?.(-1)
  }, [count, isUnsaved])
}

/**
 * While something is not saved, links and the history of the browser are not followed but answered as `way`, which follows
 * them; the browser's own question comes before the tab is closed.
 */
export function watchWays(onWay: (way: Way) => void): () => void {
  const here = placeOf(history.state)
  const stay = (event: Event) => event.preventDefault()
  const click = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return
    const link = event.target.closest<HTMLElement>('a[href^="/"]:not([target])')
    const to = link?.getAttribute('href')
    if (!to) return
    event.preventDefault()
    // of several forms one asks
    event.stopImmediatePropagation()
    onWay({ to })
  }
  const step = (event: PopStateEvent) => {
    const steps = placeOf(event.state) - here
    if (isReturning && steps === 0) {
      isReturning = false
      event.stopImmediatePropagation()
      return
    }
    if (isFollowing || !steps) return
    event.stopImmediatePropagation()
    isReturning = true
    history.go(-steps)
    onWay({
      follow() {
        isFollowing = true
        window.addEventListener('popstate', () => (isFollowing = false), { once: true })
        history.go(steps)
      },
    })
  }
  window.addEventListener('beforeunload', stay)
  watchers.push(step)
  asking.push(onWay)
  document.addEventListener('click', click, true)
  return () => {
    window.removeEventListener('beforeunload', stay)
    watchers.splice(watchers.indexOf(step), 1)
    asking.splice(asking.indexOf(onWay), 1)
    document.removeEventListener('click', click, true)
  }
}

/** Leaves the page: at once, or after the confirmation that what is not saved may be lost. */
export function whenSaved(follow: () => void): void {
  const ask = asking.at(-1)
  if (ask) ask({ follow })
  else follow()
}

const asking: ((way: Way) => void)[] = []

const watchers: ((event: PopStateEvent) => void)[] = []

/** Called before the router listens to the same event: it does not learn of a step that is taken back. */
export const watchSteps = () => window.addEventListener('popstate', event => watchers.at(-1)?.(event), true)

/** A step in the history is being taken back: the router did not learn of it, nor learns of that. */
let isReturning = false

/** A step in the history that was confirmed is on its way. */
let isFollowing = false

/** An address of the app, or a step in the history. */
export type Way = { to: string } | { follow(): void }

/** The router numbers the entries of the history. */
const placeOf = (state: unknown) => (state as { idx?: number } | null)?.idx ?? Number.NaN
