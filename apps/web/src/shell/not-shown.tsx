import { IconAlertCircle } from '@tabler/icons-react'
import { texts } from '../platform/text.ts'
import { Empty } from '../ui/empty.tsx'
import { PlainButton } from '../ui/plain/button.tsx'

const useText = texts({
  title: [
    'Esta tela não pôde ser mostrada',
    'This screen could not be shown',
    'No se pudo mostrar esta pantalla',
  ],
  hint: [
    'Pode haver uma versão nova, ou a conexão falhou. O que você escreveu foi guardado.',
    'There may be a new version, or the connection failed. What you wrote was kept.',
    'Puede haber una versión nueva, o falló la conexión. Lo que escribió quedó guardado.',
  ],
  reload: ['Recarregar', 'Reload', 'Recargar'],
})

/** Shown for a screen whose script could not be loaded (a new version was deployed), or that failed. */
export function NotShown() {
  const t = useText()
  return (
    <div role="alert">
      <Empty
        icon={<IconAlertCircle size={26} />}
        title={t('title')}
        action={<PlainButton onClick={() => location.reload()}>{t('reload')}</PlainButton>}
      >
        {t('hint')}
      </Empty>
    </div>
  )
}
