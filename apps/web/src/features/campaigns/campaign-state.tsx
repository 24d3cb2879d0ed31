import type { Campaign, CampaignStatus } from '@balcao/contract/campaignShapes.ts'
import {
  IconCalendarTime,
  IconCheck,
  IconCircleDashed,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { reasonText } from '../../platform/errors.text.ts'
import { clock } from '../../platform/time.ts'
import { Status, type Tone } from '../../ui/status.tsx'
import { useCampaignText } from './campaigns.text.ts'

const looks: Record<CampaignStatus, { tone: Tone; Icon: typeof IconCheck }> = {
  created: { tone: 'neutral', Icon: IconCircleDashed },
  scheduled: { tone: 'info', Icon: IconCalendarTime },
  start: { tone: 'success', Icon: IconPlayerPlay },
  pause: { tone: 'warning', Icon: IconPlayerPause },
  finalized: { tone: 'neutral', Icon: IconCheck },
}

export function CampaignState({ status }: { status: CampaignStatus }) {
  const t = useCampaignText()
  const { tone, Icon } = looks[status]
  return (
    <Status tone={tone} icon={<Icon size={13} aria-hidden />}>
      {t(`is_${status}`)}
    </Status>
  )
}

/** Why nothing is being sent; null when something is, or a user paused it. */
export function whyStill({ status, pauseReason, pauseDetail, waits }: Campaign): string | null {
  const t = useCampaignText.read
  if (status === 'pause' && pauseReason) {
    const why = t(`paused_${pauseReason}`)
    return pauseDetail ? `${why} (${reasonText(pauseDetail)})` : why
  }
  if (status !== 'start' || !waits || waits.reason === 'gap') return null
  const why = t(`waits_${waits.reason}`)
  return waits.until ? t('backAt', { why, at: clock(waits.until).format('l LT') }) : `${why}.`
}
