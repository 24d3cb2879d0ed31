import { useEffect } from 'react'

/**
 * Redirects to a site after so many milliseconds once `isTime`; to the front page where its address is empty.
 */
export function useLeave(isTime: boolean, site: string, afterMs: number): void {
  useEffect(() => {
    if (!isTime) return
    const timer = setTimeout(() => location.assign(site || '/'), afterMs)
    return () => clearTimeout(timer)
  }, [isTime, site, afterMs])
}
