import type { Forecast } from '@balcao/contract/campaignPeople.ts'
import { AHEAD_MONTHS, type Campaign } from '@balcao/contract/campaignShapes.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { Button, Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { clock, momentAt } from '../../platform/time.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useMeanwhile } from '../../ui/list-screen/use-meanwhile.tsx'
import { changeCampaign, lackingIn } from './campaigns.api.ts'
import { useManagerText } from './campaigns.running.text.ts'
import { outOfReach } from './creator-values.ts'
import { StartDialog } from './start.dialog.tsx'

const SHOWN = 'YYYY-MM-DDTHH:mm'

/** Sets or removes the scheduled start of a campaign (CAMP-022, CAMP-043, CAMP-044). */
export function ScheduleDialog({ campaign, onClose }: { campaign: Campaign; onClose(): void }) {
  const t = useManagerText()
  const [isOn, setOn] = useState(campaign.schedule !== null)
  const [shown, setShown] = useState(
    campaign.schedule ? clock(campaign.schedule).format(SHOWN) : clock().add(1, 'hour').format(SHOWN),
  )
  const [busy, setBusy] = useState(false)
  const fault = isOn ? outOfReach(shown, AHEAD_MONTHS.manager) : null
  const [lacking, setLacking] = useState<Forecast | null>(null)
  // the prop follows what others save
  const [seen] = useState({ schedule: campaign.schedule })
  const meanwhile = useMeanwhile()
  async function save(current: Seen = seen) {
    await changeCampaign(campaign.id, { schedule: isOn ? momentAt(shown) : null }, [], {
      schedule: current.schedule,
    })
    notify.done(t('saved'))
    onClose()
  }
  const asksAbout = (error: unknown) =>
    meanwhile.asks(error, now => void ask(now), { schedule: t('schedule') })
  async function ask(current?: Seen) {
    setBusy(true)
    try {
      const found = isOn && !current ? await lackingIn(campaign) : null
      if (found) setLacking(found)
      else await save(current)
    } catch (error) {
      if (!asksAbout(error)) notify.failed(error)
      setBusy(false)
    }
  }
  async function saveInSpite() {
    try {
      await save()
    } catch (error) {
      if (!asksAbout(error)) throw error
      setLacking(null)
      setBusy(false)
    }
  }
  if (lacking)
    return (
      <StartDialog
        campaign={campaign}
        forecast={lacking}
        confirm={t('scheduleIt')}
        onStart={saveInSpite}
        onClose={onClose}
      />
    )
  return (
    <Dialog title={t('scheduleTitle')} onClose={onClose}>
      {meanwhile.question}
      <Stack gap={12}>
        <Switch
          label={t('isScheduled')}
          checked={isOn}
          onChange={event => setOn(event.currentTarget.checked)}
        />
        {isOn && (
          <DateTimeField
            label={t('schedule')}
            value={shown || null}
            onChange={next => setShown(next ?? '')}
            error={fault && t(fault)}
            from={clock().format('YYYY-MM-DD')}
            until={clock().add(AHEAD_MONTHS.manager, 'month').format('YYYY-MM-DD')}
          />
        )}
      </Stack>
      <DialogActions onClose={onClose}>
        <Button loading={busy} disabled={fault !== null} onClick={() => void ask()}>
          {t('save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
