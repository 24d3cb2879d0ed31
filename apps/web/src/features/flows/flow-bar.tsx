import { Button } from '@mantine/core'
import { IconPlayerStop, IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { clock } from '../../platform/time.ts'
import { Banner } from '../../ui/status.tsx'
import { flowOn, stopFlow } from './flows.api.ts'
import { usePlayText } from './flows.play.text.ts'

/** The flow that is being played to the customer, and the button that stops it. */
export function FlowBar({ ticketId }: { ticketId: number }) {
  const t = usePlayText()
  const { data: run } = useQuery(flowOn(ticketId))
  const [busy, setBusy] = useState(false)
  if (!run) return null
  async function stop() {
    setBusy(true)
    await stopFlow(ticketId).then(() => notify.done(t('stopped')), notify.failed)
    setBusy(false)
  }
  const by = run.user ? t('by', { name: run.user.name }) : t('byBot')
  return (
    <Banner
      tone="info"
      icon={<IconRoute size={17} />}
      action={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerStop size={14} aria-hidden />}
          loading={busy}
          onClick={() => void stop()}
        >
          {t('stop')}
        </Button>
      }
    >
      {t('running', { name: run.name, time: clock(run.endsAt).format('HH:mm:ss') })} · {by}
    </Banner>
  )
}
