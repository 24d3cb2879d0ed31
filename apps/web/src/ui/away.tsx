import { IconWifiOff } from '@tabler/icons-react'
import { texts } from '../platform/text.ts'
import { Empty } from './empty.tsx'

const useText = texts({
  title: ['Ainda não foi carregado', 'Not loaded yet', 'Aún no se cargó'],
  hint: [
    'Aparece aqui assim que a conexão voltar.',
    'It appears here as soon as the connection is back.',
    'Aparece aquí en cuanto vuelva la conexión.',
  ],
})

/** Shown for what cannot be loaded without a connection; it is loaded automatically later. */
export function Away() {
  const t = useText()
  return (
    <div role="status">
      <Empty icon={<IconWifiOff size={26} />} title={t('title')}>
        {t('hint')}
      </Empty>
    </div>
  )
}
