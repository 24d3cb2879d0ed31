import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { texts } from '../platform/text.ts'
import { Confirm } from './dialog.tsx'

const useText = texts({
  title: ['Sair sem salvar?', 'Leave without saving?', '¿Salir sin guardar?'],
  hint: [
    'O que você mudou nesta tela ainda não foi salvo.',
    'What you changed on this screen has not been saved yet.',
    'Lo que cambió en esta pantalla aún no se guardó.',
  ],
  leave: ['Sair sem salvar', 'Leave without saving', 'Salir sin guardar'],
})

/**
 * While something is not saved, links and history navigation require a confirmation, and the browser's own is
 * shown before the tab is closed.
 */
export function LeavingAsks({ isChanged }: { isChanged: boolean }) {
  const t = useText()
  const navigate = useNavigate()
  const [to, setTo] = useState<string | null>(null)
  useEffect(() => {
    if (!isChanged) return
    const stay = (event: Event) => event.preventDefault()
    const ask = (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return
      const way = event.target.closest<HTMLElement>('a[href^="/"]:not([target]), [data-leads]')
      const led = way?.dataset.leads ?? way?.getAttribute('href')
      if (!led) return
      event.preventDefault()
      event.stopPropagation()
      setTo(led)
    }
    window.addEventListener('beforeunload', stay)
    document.addEventListener('click', ask, true)
    return () => {
      window.removeEventListener('beforeunload', stay)
      document.removeEventListener('click', ask, true)
    }
  }, [isChanged])
  if (to === null) return null
  return (
    <Confirm
      title={t('title')}
      confirm={t('leave')}
      danger
      onConfirm={() => void navigate(to)}
      onClose={() => setTo(null)}
    >
      {t('hint')}
    </Confirm>
  )
}
