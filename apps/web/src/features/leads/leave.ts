import { useEffect } from 'react'

/** Once it is time, leads to a site after so many milliseconds; to the front page where its address is empty. */
export function useLeave(isTime: boolean, site: string, afterMs: number): void {
  useEffect(() => {
    if (!isTime) return
    const timer = setTimeout(() => location.assign(site || '/'), afterMs)
    return () => clearTimeout(timer)
  }, [isTime, site, afterMs])
}
