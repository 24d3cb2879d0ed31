import type { CloudTrouble } from '@balcao/contract/cloud.standing.rules.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Status } from '../../ui/status.tsx'
import { useStandingText } from './cloud.standing.text.ts'

/** What Meta holds against a number. */
export function TroubleMark({ trouble }: { trouble: CloudTrouble }) {
  const t = useStandingText()
  return (
    <Status
      tone={trouble === 'banned' ? 'error' : 'warning'}
      icon={<IconAlertTriangle size={15} stroke={2} aria-hidden />}
    >
      {t(trouble)}
    </Status>
  )
}
