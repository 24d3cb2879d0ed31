import type { Campaign, FollowUp } from '@balcao/contract/campaignShapes.ts'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { whole } from '../../platform/numbers.ts'
import { useGoTo } from '../../ui/go-to.ts'
import { followUp } from './campaigns.api.ts'
import { useManagerText } from './campaigns.running.text.ts'

/** Of a finished campaign: another one for who did not get it, or did not answer. */
export function FollowUpMenu({ campaign: { id, counts } }: { campaign: Campaign }) {
  const t = useManagerText()
  const goTo = useGoTo()
  const [busy, setBusy] = useState(false)
  const failed = counts.failed + counts.pending
  const silent = Math.max(0, counts.sent - counts.answered)
  const choices: [FollowUp, number][] = [
    ['failed', failed],
    ['silent', silent],
    ['both', failed + silent],
  ]
  async function make(whom: FollowUp) {
    setBusy(true)
    try {
      const made = await followUp(id, whom)
      notify.done(t('followUpMade', { count: made.counts.pending }))
      goTo(`/CampaignsManager/${made.id}`)
    } catch (error) {
      notify.failed(error)
    }
    setBusy(false)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          loading={busy}
          leftSection={<IconRepeat size={16} />}
          rightSection={<IconChevronDown size={16} aria-hidden />}
        >
          {t('followUp')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(([whom, count]) => (
          <Menu.Item key={whom} disabled={count === 0} onClick={() => void make(whom)}>
            {t(`follow_${whom}`, { count: whole(count) })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
