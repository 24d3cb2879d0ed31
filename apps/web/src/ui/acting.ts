import { useRef, useState } from 'react'

/** One action at a time: further presses before it is done are ignored. */
export function useActing() {
  const [busy, setBusy] = useState(false)
  const isActing = useRef(false)
  const act = async (work: () => Promise<unknown>) => {
    if (isActing.current) return
    isActing.current = true
    setBusy(true)
    try {
      await work()
    } finally {
      isActing.current = false
      setBusy(false)
    }
  }
  return { busy, act }
}
