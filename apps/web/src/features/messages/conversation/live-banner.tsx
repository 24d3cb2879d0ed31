import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLiveState } from '../../../platform/live.ts'
import { OfflineBanner } from '../../../ui/offline-banner.tsx'
import { Banner } from '../../../ui/status.tsx'
import { connectionChoices } from '../../connections/connections.choices.ts'
import { useMessageText } from '../messages.text.ts'

/** What prevents an answer right now, if anything. */
export function LiveBanner({ ticket, onTransfer }: { ticket: Ticket; onTransfer(): void }) {
  const t = useMessageText()
  const line = useLiveState()
  const phone = useMediaQuery('(max-width: 600px)', undefined, { getInitialValueInEffect: false })
  const { data: connections } = useQuery(connectionChoices)
  const connection = connections?.find(one => one.id === ticket.whatsappId)
  // a phone shows no frame, and the end of the messages stays in its position
  if (phone && line !== 'connected') return <OfflineBanner />
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
