import { needsAttention } from '@balcao/contract/connections.rules.ts'
import type { Connection } from '@balcao/contract/connections.ts'
import { IconAlertCircleFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useMay } from '../../platform/session.tsx'
import { connectionChoices } from './connections.choices.ts'
import { useConnectionMenuText } from './connections.menu.text.ts'

const DELAY_MS = 2_000

/** A warning in the menu while any connection needs attention; looked at two seconds after the start. */
export function AttentionMark() {
  const t = useConnectionMenuText()
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  const { data } = useQuery({ ...connectionChoices, enabled: due })
  useNotices(data)
  if (!due || !data?.some(one => needsAttention(one, Date.now()))) return null
  return (
    <span
      role="img"
      aria-label={t('attention')}
      title={t('attention')}
      style={{ color: 'var(--tertiary)', display: 'block' }}
    >
      <IconAlertCircleFilled size={16} style={{ display: 'block' }} />
    </span>
  )
}

/** Notifies admins, on any screen, of connections that ended or were restricted. */
function useNotices(connections: Connection[] | undefined) {
  const admin = useMay('admin')
  const known = useRef(connections)
  useEffect(() => {
    const before = known.current
    known.current = connections
    if (!admin || !before || !connections || before === connections) return
    void import('./fall-notice.ts').then(({ announceFalls }) => announceFalls(before, connections))
  }, [admin, connections])
}
