import { useCallback } from 'react'
import { type NavigateOptions, useNavigate } from 'react-router'
import { whenSaved } from './unsaved.ts'

interface GoOptions extends Pick<NavigateOptions, 'replace' | 'state'> {
  /** What was written is saved, or the user was asked already. */
  isSaved?: true
}

/**
 * The way to another address of the app, or a step in its history. Where something on the page is not saved it asks first, unless
 * the address only replaces the present one, as when a dialog that asks by itself is closed.
 */
export function useGoTo(): (to: string | -1, options?: GoOptions) => void {
  const navigate = useNavigate()
  return useCallback(
    (to, { isSaved, ...options } = {}) => {
      const follow = () => void (typeof to === 'number' ? navigate(to) : navigate(to, options))
      // a step in the history asks when it is taken
      if (isSaved || options.replace || typeof to === 'number') follow()
      else whenSaved(follow)
    },
    [navigate],
  )
}
