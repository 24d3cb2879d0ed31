import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { reviewCount } from './payments.api.ts'
import { useMarkText } from './payments.mark.text.ts'

const DELAY_MS = 2_000

/** How many payments wait for a master; asked two seconds after the start. */
export default function ReviewMark() {
  const t = useMarkText()
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  const { data } = useQuery({ ...reviewCount, enabled: due })
  return data ? <Badge count={data} look="tertiary" label={t('waiting', { count: data })} /> : null
}
