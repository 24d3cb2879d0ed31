import type { Forecast } from '@balcao/contract/campaignPeople.ts'
import type { Campaign, CampaignAction } from '@balcao/contract/campaignShapes.ts'
import { mayManageCampaign } from '@balcao/contract/campaigns.rules.ts'
import { Button } from '@mantine/core'
import {
  IconCalendarTime,
  IconCheck,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useViewer } from '../../platform/session.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { lackingIn, processCampaign, removeCampaign } from './campaigns.api.ts'
import { useManagerText } from './campaigns.running.text.ts'
import { useCampaignText } from './campaigns.text.ts'
import { FollowUpMenu } from './follow-up.tsx'
import { ScheduleDialog } from './schedule.dialog.tsx'
import { StartDialog } from './start.dialog.tsx'

/** Seconds the documents show that the page may be closed (CAMP-042). */
const CLOSABLE_SECONDS = 15

/** Actions on the whole campaign, for admins and its creator. */
export function ManagerControls({ campaign }: { campaign: Campaign }) {
  const t = useManagerText()
  const goTo = useGoTo()
  const [asked, setAsked] = useState<'finish' | 'remove' | 'schedule' | null>(null)
  const { act, busy } = useProcess(campaign)
  const [lacking, setLacking] = useState<Forecast | null>(null)
  if (!mayManageCampaign(useViewer(), campaign)) return null
  const { id, name, status } = campaign
  const isOver = status === 'finalized'
  const close = () => setAsked(null)
  return (
    <>
      {isOver && <FollowUpMenu campaign={campaign} />}
      {!isOver && (
        <>
          {status === 'start' ? (
            <Button
              variant="default"
              loading={busy}
              leftSection={<IconPlayerPause size={16} />}
              onClick={() => void act('pause')}
            >
              {t('pause')}
            </Button>
          ) : (
            <Button
              loading={busy}
              leftSection={<IconPlayerPlay size={16} />}
              onClick={() =>
                void lackingIn(campaign).then(
                  found => (found ? setLacking(found) : act('start')),
                  notify.failed,
                )
              }
            >
              {t('start')}
            </Button>
          )}
          {status !== 'start' && (
            <Button
              variant="default"
              leftSection={<IconCalendarTime size={16} />}
              onClick={() => setAsked('schedule')}
            >
              {t('scheduleIt')}
            </Button>
          )}
          <Button variant="default" leftSection={<IconCheck size={16} />} onClick={() => setAsked('finish')}>
            {t('finish')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconPencil size={16} />}
            onClick={() => goTo(`/CampaignsCreator/${id}`)}
          >
            {t('edit')}
          </Button>
        </>
      )}
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setAsked('remove')}>
        {t('remove')}
      </Button>
      {lacking && (
        <StartDialog
          campaign={campaign}
          forecast={lacking}
          confirm={t('start')}
          onStart={async () => {
            await act('start')
            setLacking(null)
          }}
          onClose={() => setLacking(null)}
        />
      )}
      {asked === 'schedule' && <ScheduleDialog campaign={campaign} onClose={close} />}
      {asked === 'finish' && (
        <Confirm
          title={t('finishTitle', { name })}
          confirm={t('finish')}
          danger
          busy={busy}
          onConfirm={() => void act('finalized').then(close)}
          onClose={close}
        >
          {t('finishHint')}
        </Confirm>
      )}
      {asked === 'remove' && (
        <RemoveDialog
          title={useCampaignText.read('removeTitle', { name })}
          remove={async () => {
            await removeCampaign(id)
            goTo('/Campaigns')
          }}
          onClose={close}
        >
          {useCampaignText.read('removeHint')}
        </RemoveDialog>
      )}
    </>
  )
}

function useProcess({ id }: Campaign) {
  const t = useManagerText()
  const [busy, setBusy] = useState(false)
  async function act(action: CampaignAction) {
    setBusy(true)
    try {
      const { status: before } = await processCampaign(id, action)
      if (action === 'pause') notify.done(t('paused'))
      if (action === 'finalized') notify.done(t('finished'))
      if (action === 'start' && before === 'created')
        notify.info(t('closable'), { seconds: CLOSABLE_SECONDS })
    } catch (error) {
      notify.failed(error)
    }
    setBusy(false)
  }
  return { act, busy }
}
