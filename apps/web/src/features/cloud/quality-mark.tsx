import { IconActivityHeartbeat } from '@tabler/icons-react'
import { Status, type Tone } from '../../ui/status.tsx'
import { useCloudText } from './cloud.text.ts'

const tones: Record<string, Tone> = { GREEN: 'success', YELLOW: 'warning', RED: 'error' }

/** What customers made Meta think of the number. */
export function QualityMark({ quality }: { quality: string }) {
  const t = useCloudText()
  const known = quality === 'GREEN' || quality === 'YELLOW' || quality === 'RED' ? quality : 'UNKNOWN'
  return (
    <Status
      tone={tones[known] ?? 'neutral'}
      icon={<IconActivityHeartbeat size={15} stroke={2} aria-hidden />}
    >
      {`${t('quality')}: ${t(known)}`}
    </Status>
  )
}
