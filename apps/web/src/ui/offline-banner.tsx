import { IconRefresh, IconWifi, IconWifiOff } from '@tabler/icons-react'
import { useLiveState, useMissedUpdates } from '../platform/live.ts'
import { texts } from '../platform/text.ts'
import { Banner } from './status.tsx'

const useText = texts({
  offline: [
    'Sem conexão. Você pode continuar escrevendo.',
    'No connection. You can keep writing.',
    'Sin conexión. Puede seguir escribiendo.',
  ],
  reconnecting: ['Reconectando…', 'Reconnecting…', 'Reconectando…'],
  back: ['De volta.', 'Back online.', 'De vuelta.'],
  backWith_one: [
    'De volta. {count} atualização recebida.',
    'Back online. {count} update received.',
    'De vuelta. {count} actualización recibida.',
  ],
  backWith: [
    'De volta. {count} atualizações recebidas.',
    'Back online. {count} updates received.',
    'De vuelta. {count} actualizaciones recibidas.',
  ],
})

/** State of the connection to the server, while it is lost and a moment after. */
export function OfflineBanner() {
  const t = useText()
  const line = useLiveState()
  const updates = useMissedUpdates()
  if (line === 'connected') return null
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
  return (
    <Banner tone="success" icon={<IconWifi size={17} />}>
      {updates > 0 ? t('backWith', { count: updates }) : t('back')}
    </Banner>
  )
}
