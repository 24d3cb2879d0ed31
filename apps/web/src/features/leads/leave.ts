import { useEffect } from 'react'
import { useNavigate } from 'react-router'

/** Once it is time, leads to a site after so many milliseconds; to the front page where its address is empty. */
export function useLeave(isTime: boolean, site: string, afterMs: number): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isTime) return
    const timer = setTimeout(() => (site ? window.location.assign(site) : void navigate('/')), afterMs)
    return () => clearTimeout(timer)
  }, [isTime, site, afterMs, navigate])
}
