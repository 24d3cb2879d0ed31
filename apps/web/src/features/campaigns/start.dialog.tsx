import type { Forecast } from '@balcao/contract/campaignPeople.ts'
import type { Campaign } from '@balcao/contract/campaignShapes.ts'
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { whole } from '../../platform/numbers.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { changeCampaign } from './campaigns.api.ts'
import { useManagerText } from './campaigns.running.text.ts'

interface Props {
  campaign: Campaign
  forecast: Forecast
  /** What the button says. */
  confirm: string
  /** Closes the dialog too. */
  onStart(): Promise<void>
  onClose(): void
}

/** Before a start, now or by plan: whom a placeholder leaves out, unless a word stands for it. */
export function StartDialog({ campaign, forecast, confirm, onStart, onClose }: Props) {
  const { missing, lacking } = forecast
  const t = useManagerText()
  const [words, setWords] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  async function start() {
    setBusy(true)
    const chosen = Object.entries(words).filter(([, word]) => word.trim() !== '')
    try {
      if (chosen.length > 0)
        await changeCampaign(campaign.id, {
          standIns: { ...campaign.standIns, ...Object.fromEntries(chosen) },
        })
      await onStart()
    } catch (error) {
      notify.failed(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('lackingTitle')} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void start()
        }}
      >
        <Stack gap={12}>
          <Text size="sm">{t('lackingHint', { count: missing })}</Text>
          {lacking.map(({ name, count }, at) => (
            <TextInput
              key={name}
              data-autofocus={at === 0}
              label={t('insteadOf', { name: `{{${name}}}` })}
              description={t('withoutValue', { count, people: whole(count) })}
              placeholder={t('leftOut')}
              maxLength={100}
              dir="auto"
              value={words[name] ?? ''}
              onChange={event => setWords({ ...words, [name]: event.currentTarget.value })}
            />
          ))}
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy}>
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
