import { useEffect, useEffectEvent } from 'react'

/** Of a window with one pane. */
const narrow = window.matchMedia('(max-width: 899px)')

/** Where a picture or the contact covers the whole screen, "back" closes it and does not navigate. */
export function useBackCloses(isOn: boolean, close: () => void): void {
  const onBack = useEffectEvent(close)
  useEffect(() => {
    if (!isOn || !narrow.matches) return
    history.pushState({ ...history.state, isOver: true }, '')
    let isBack = false
    const back = () => {
      isBack = true
      onBack()
    }
    window.addEventListener('popstate', back)
    return () => {
      window.removeEventListener('popstate', back)
      // closed otherwise, and the history entry is still there
      if (!isBack && (history.state as { isOver?: boolean } | null)?.isOver) history.back()
    }
  }, [isOn])
}
