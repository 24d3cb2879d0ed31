import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button } from '@mantine/core'
import { IconPlugConnectedX, IconRefresh, IconWifi, IconWifiOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLiveState, useMissedUpdates } from '../../../platform/live.ts'
import { Banner } from '../../../ui/status.tsx'
import { connectionChoices } from '../../tickets/tickets.api.ts'
import { useMessageText } from '../messages.text.ts'

/** What stands between the attendant and the customer right now, if anything. */
export function LiveBanner({ ticket, onTransfer }: { ticket: Ticket; onTransfer(): void }) {
  const t = useMessageText()
  const line = useLiveState()
  const updates = useMissedUpdates()
  const { data: connections } = useQuery(connectionChoices)
  const connection = connections?.find(one => one.id === ticket.whatsappId)
  if (line === 'offline')
    return (
      <Banner tone="warning" icon={<IconWifiOff size={17} />}>
        {t('offline')}
      </Banner>
    )
  if (line === 'reconnecting')
    return (
      <Banner tone="info" icon={<IconRefresh size={17} />}>
        {t('reconnecting')}
      </Banner>
    )
  if (line === 'back')
    return (
      <Banner tone="success" icon={<IconWifi size={17} />}>
        {updates > 0 ? t('backWith', { count: updates }) : t('back')}
      </Banner>
    )
  if (!connection || connection.status === 'CONNECTED' || ticket.status === 'closed') return null
  return (
    <Banner
      tone="error"
      icon={<IconPlugConnectedX size={17} />}
      action={
        <Button size="xs" variant="default" onClick={onTransfer}>
          {t('transfer')}
        </Button>
      }
    >
      {t('down', { name: connection.name })}
    </Banner>
  )
}
