import { useEffect } from 'react'
import { Loading } from './loading.tsx'

/** An address whose page comes with another script: the server sends it. */
export function Elsewhere() {
  useEffect(() => location.reload(), [])
  return <Loading />
}
