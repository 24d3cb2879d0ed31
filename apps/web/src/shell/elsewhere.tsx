import { useEffect } from 'react'
import { Loading } from './loading.tsx'

/** An address of another bundle: the server sends its page. */
export function Elsewhere() {
  useEffect(() => location.reload(), [])
  return <Loading />
}
