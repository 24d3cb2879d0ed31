import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/**
 * A component whose code comes when it is first shown; until then `instead` stands there. What cannot be loaded throws,
 * for the boundary around it.
 *
 * Instead of `lazy` and `Suspense`: what comes behind a fallback React 19 keeps back until it stood for 300 ms, so every
 * first look at a screen or a dialog would take as long.
 */
export function soon<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  instead: ReactNode = null,
): ComponentType<Props> {
  let here: ComponentType<Props> | undefined
  // biome-ignore lint/correctness/noComponentHookFactories: called at the top of a module, as lazy is
  return function Soon(props: Props) {
    const [Shown, setShown] = useState(() => here)
    useEffect(() => {
      if (Shown) return
      let isGone = false
      const show = (found: () => ComponentType<Props>) => isGone || setShown(found)
      load().then(
        loaded => {
          here = loaded.default
          show(() => loaded.default)
        },
        error =>
          show(() => {
            throw error
          }),
      )
      return () => {
        isGone = true
      }
    }, [Shown])
    return Shown ? <Shown {...props} /> : instead
  }
}
