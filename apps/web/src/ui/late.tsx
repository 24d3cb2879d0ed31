import { type ReactNode, useEffect, useState } from 'react'

/** Shows its children after 300 ms: what loads faster than that needs no skeleton. */
export function Late({ children }: { children: ReactNode }) {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), 300)
    return () => clearTimeout(timer)
  }, [])
  return due ? children : null
}
